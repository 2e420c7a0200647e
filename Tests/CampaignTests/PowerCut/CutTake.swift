import Foundation
import Synchronization
import TestSupport

/// A running `kayit record` into a folder of its own on an image.
final class CutTake: Sendable {
    let format: KillFormat
    private let name: String
    private let folder: String
    private let scratch: TemporaryFolder
    private let kayit: RunningKayit
    private struct Notes {
        /// When it said that it records.
        var begun: Double?
        /// Seconds that its threads had waited for a processor, when the watch began and when the disk was copied.
        var waited = (0.0, 0.0)
        var wasBegun = false
    }
    private let notes = Mutex(Notes())

    init(_ format: KillFormat, number: Int, on disk: ImageDisk, in room: Room) throws {
        self.format = format
        name = "take-\(number)"
        folder = "\(disk.mountPoint)/\(name)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        scratch = try TemporaryFolder()
        kayit = try RunningKayit(
            ["record", "\(folder)/\(format.file)", "--device", "room.monitor"] + format.options,
            in: scratch,
            environment: ["KAYIT_AUDIO": "pulse", "PULSE_SERVER": room.server.address, "LC_ALL": "C.UTF-8"]
        )
        Thread.detachNewThread { [weak self] in
            while let self {
                if self.kayit.errors.contains("Recording to") {
                    self.notes.withLock { $0.begun = Witness.now }
                    return
                }
                Thread.sleep(forTimeInterval: 0.002)
            }
        }
        // The server lets five connections wait and refuses more.
        Thread.sleep(forTimeInterval: 0.05)
    }

    /// Half a second or less before the copy.
    func watch() {
        let wait = kayit.process.processorWait
        notes.withLock { $0.waited.0 = wait }
    }

    /// Right before the copy: from here on it is not known what the copy holds.
    func note() {
        let wait = kayit.process.processorWait
        notes.withLock { notes in
            notes.waited.1 = wait
            notes.wasBegun = notes.begun != nil
        }
    }

    /// What a copy of the disk has of it; nil where nothing was promised yet.
    func remains(in point: String, at moment: Double) throws -> Remains? {
        let notes = notes.withLock { $0 }
        guard notes.wasBegun else { return nil }
        let copy = try TemporaryFolder()
        let there = "\(point)/\(name)"
        for file in try FileManager.default.contentsOfDirectory(atPath: there) {
            try FileManager.default.copyItem(atPath: "\(there)/\(file)", toPath: copy.path(file))
        }
        var format = format
        format.limit = ImageCutTests.limit
        return Remains(
            folder: copy,
            format: format,
            moment: .recording(moment - (notes.begun ?? moment)),
            begun: notes.begun,
            end: moment,
            processorWait: notes.waited.1 - notes.waited.0,
            isCut: true,
            // The length of a file can reach the disk before what was last written into a block that was there already:
            // the rest of that block is zeros then. Uncompressed formats are read to the end of the file.
            unsureFrames: format.name.hasPrefix("PCM") ? 4096 / 2 : 0
        )
    }

    /// Ends it and takes its files away.
    func end() {
        kayit.process.kill()
        try? FileManager.default.removeItem(atPath: folder)
    }
}
