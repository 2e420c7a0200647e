import Foundation
import TestSupport

/// What was found in the remains of a recorder.
struct Verdict: Sendable {
    /// Our reader opened the file and gave what it states.
    var isRead = false
    /// How many of the others that know the format gave the same, up to the last checkpoint at least.
    var readByOthers = 0
    /// Seconds of what sounded until the end that are not in the file; nil where the recording had not begun.
    var loss: Double?
    /// The same for the reader that finds least: a killed recorder may have written audio that no checkpoint states yet,
    /// which ours finds and others pass over.
    var lossForOthers: Double?
    /// Seconds for which a busy machine held up the server or the recorder before its end.
    var delay = 0.0
    /// Everything that must not be.
    var complaints: [String] = []

    init(on remains: Remains, _ witness: Witness) {
        do {
            checkNames(remains)
            if let old = try? remains.folder.read(remains.format.file), isUntouched(old, remains) { return }
            try examine(remains, witness)
        } catch {
            complaints.append("\(error)")
        }
    }

    /// True where the recording did not begin and what was there before is whole.
    private mutating func isUntouched(_ bytes: [UInt8], _ remains: Remains) -> Bool {
        guard case .starting = remains.moment, bytes == Victim.old else { return false }
        if remains.begun != nil { complaints.append("the old file is back") }
        isRead = true
        readByOthers = remains.format.readers.count
        return true
    }

    /// The recording and nothing else; before it has its name, also the hidden file that it begins in.
    private mutating func checkNames(_ remains: Remains) {
        let others = remains.folder.names.filter { $0 != remains.format.file }
        let isHidden = others.allSatisfy { $0.hasPrefix(".kayit-") && $0.hasSuffix(".part") }
        if !isHidden || others.count > (remains.begun == nil ? 1 : 0) { complaints.append("left behind: \(others)") }
    }

    private mutating func examine(_ remains: Remains, _ witness: Witness) throws {
        let format = remains.format
        let path = remains.folder.path(format.file)
        let own = try Decoding.own(path, toDamage: remains.isCut)
        isRead = true
        if own.damage == nil, own.stated != own.samples.count {
            complaints.append("states \(own.stated ?? -1) frames and has \(own.samples.count)")
        }
        var least = own.samples.count
        for reader in format.readers {
            do {
                let samples = try Decoding.other(reader, path)
                let trimmed = samples.dropFirst(format.untrimmedPriming ? own.priming : 0)
                least = min(least, trimmed.count)
                compare(trimmed, with: own.samples, format, reader)
            } catch {
                // A file without one frame is no file for some.
                if own.samples.isEmpty {
                    readByOthers += 1
                } else if !remains.isCut {
                    complaints.append("\(error)")
                }
            }
        }
        measureLoss(of: own.samples, remains, witness)
        lossForOthers = loss.map { $0 + Double(own.samples.count - least) / format.sampleRate }
        // What a busy machine keeps from the server and from the recorder is no fault of theirs. Two deliveries are the rule.
        let behind = (witness.sounded(at: remains.end) - Double(witness.delivered(at: remains.end))) / format.sampleRate
        delay = max(behind - 0.04, 0) + remains.processorWait
        if let lossForOthers, lossForOthers > format.limit + delay {
            complaints.append("lacks \(Int(lossForOthers * 1000)) ms, for us \(Int((loss ?? 0) * 1000)) ms")
        }
    }

    private mutating func compare(
        _ samples: ArraySlice<Float>,
        with own: [Float],
        _ format: KillFormat,
        _ reader: KillFormat.Reader
    ) {
        var difference = 0.0
        for (a, b) in zip(samples, own) { difference += Double(a - b) * Double(a - b) }
        difference = (difference / Double(max(own.count, 1))).squareRoot()
        if samples.count > own.count + format.padding {
            complaints.append("\(reader) gives \(samples.count) frames, not \(own.count)")
        } else if difference > (format.isLossless ? 0.00001 : 0.01) {
            complaints.append("\(reader) differs by \(difference)")
        } else {
            readByOthers += 1
        }
    }

    private mutating func measureLoss(of samples: [Float], _ remains: Remains, _ witness: Witness) {
        let rate = remains.format.sampleRate
        let sounded = witness.sounded(at: remains.end)
        // Too short to be found again: everything since the beginning but its length.
        if samples.count <= Int(rate / 50) {
            loss = max(remains.end - (remains.begun ?? remains.end) - Double(samples.count) / rate, 0)
        } else {
            guard let place = place(of: samples, near: sounded, rate, witness) else {
                complaints.append("\(samples.count) frames of something else")
                return
            }
            loss = (sounded - Double(place.offset + samples.count)) / rate
            let foreign = place.firstForeignFrame(
                of: samples,
                in: witness.heard,
                sampleRate: rate,
                // The server gives each stream of another rate the samples between its own by itself.
                step: remains.format.isLossless && rate == Room.sampleRate ? 1 / 32_768 : nil
            )
            guard let foreign else { return }
            // What a power cut left unwritten lies behind what is sure: it is no foreign sound, but it is lost.
            if samples.count - foreign <= remains.unsureFrames {
                loss = (sounded - Double(place.offset + foreign)) / rate
            } else {
                complaints.append("foreign samples from frame \(foreign) of \(samples.count)")
            }
        }
    }

    private func place(of samples: [Float], near end: Double, _ rate: Double, _ witness: Witness) -> Alignment? {
        // Far off only where something is wrong.
        for seconds in [0.5, 4] {
            let ends = max(Int(end - seconds * rate), 0)..<max(Int(end + 0.3 * rate), 1)
            let found = Alignment(of: samples, in: witness.heard, endsIn: ends, sampleRate: rate)
            if let found, found.likeness > 0.7 { return found }
        }
        return nil
    }
}
