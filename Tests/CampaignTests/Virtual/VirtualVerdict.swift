import Foundation
import TestSupport

/// What was found in the remains of a recorder in virtual time, whose every sample is known by its place.
struct VirtualVerdict: Sendable {
    var isRead = false
    var readByOthers = 0
    /// Frames that the microphone gave and the file lacks; nil where the recording had not begun.
    var loss: Int?
    var complaints: [String] = []

    /// How often a recording becomes a file that others can play: the default of the recorder, in seconds.
    static let checkpoint = 0.04
    /// The longest step of sound that the victim may be in the midst of.
    static let step = 1400

    /// Frames that a killed recording may lack: what came since the last checkpoint, what the encoder holds, and the step
    /// of sound that is under way.
    static func limit(_ pair: RecordedPair) -> Int {
        Int(checkpoint * pair.sampleRate) + pair.heldFrames + step
    }

    init(on remains: VirtualVictim.Remains, _ source: [Float]) {
        do {
            let pair = remains.pair
            checkNames(remains)
            let isThere = remains.folder.names.contains(pair.fileName)
            let isOld = try isThere && (remains.folder.read(pair.fileName)) == VirtualVictim.old
            if !isThere || isOld {
                if remains.phase != .starting || isThere != remains.hadOld { complaints.append("the take is gone") }
                isRead = true
                readByOthers = TakeReading.readers(pair).count
                return
            }
            let reading = try TakeReading(remains.folder.path(pair.fileName), pair, source)
            isRead = true
            readByOthers = reading.readByOthers
            complaints += reading.complaints
            let loss = remains.heard - reading.frames
            self.loss = max(loss, 0)
            if loss < 0 { complaints.append("holds \(-loss) frames that were never heard") }
            if loss > Self.limit(pair) { complaints.append("lacks \(loss) of \(remains.heard) frames") }
            let held = remains.phase == .over ? 0 : pair.heldFrames
            if reading.frames < remains.promised - held {
                complaints.append("has \(reading.frames) frames, \(remains.promised) were promised")
            }
        } catch {
            complaints.append("\(error)")
        }
    }

    /// The recording and nothing else; before it has its name, also the hidden file that it begins in.
    private mutating func checkNames(_ remains: VirtualVictim.Remains) {
        let others = remains.folder.names.filter { $0 != remains.pair.fileName }
        let isHidden = others.allSatisfy { $0.hasPrefix(".kayit-") && $0.hasSuffix(".part") }
        if !isHidden || others.count > (remains.phase == .starting ? 1 : 0) { complaints.append("left: \(others)") }
    }
}
