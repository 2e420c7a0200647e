import AVFAudio
import AudioCore
import Foundation
import TestSupport
import Testing

/// Every codec in every container that we write: the same frames in the same place, for us and for others.
@Suite("Files that we write") struct WrittenFileTests {
    @Test("we read what we wrote", arguments: Pair.all) func oursIsExact(_ pair: Pair) throws {
        let folder = try TemporaryFolder()
        for (index, take) in pair.takes.enumerated() {
            let url = folder.file("\(index).\(pair.container.name)")
            try SoundFile.write(take, pair, to: url)
            let copy = try SoundFile.read(url)
            // Opus is read at 48 kHz.
            let multiple = pair.format == kAudioFormatOpus ? Int(48_000 / take.rate) : 1
            #expect(copy.rate == take.rate * Double(multiple), "\(take)")
            #expect(copy.channels == take.channels, "\(take)")
            #expect(copy.length == take.frames * multiple, "\(take)")
            let reading = take.reading(copy.samples, multiple: multiple)
            #expect(reading == .exact, "\(take): \(reading)")
            #expect(try SoundFile.integrity(url) == .complete, "\(take)")
        }
    }

    @Test(
        "others read it, or deviate as is known",
        .enabled(
            if: ExternalTool.areInstalled("ffmpeg", "sox", "sndfile-convert", "gst-launch-1.0", "flac", "opusdec")
        ),
        arguments: Pair.all
    ) func othersReadIt(_ pair: Pair) throws {
        let folder = try TemporaryFolder()
        var refusing: Set<Reader> = []
        for (index, take) in pair.takes.enumerated() {
            let url = folder.file("\(index).\(pair.container.name)")
            try SoundFile.write(take, pair, to: url)
            for reader in Reader.allCases where reader.reads(pair) && reader.reads(take) && !refusing.contains(reader) {
                let reading = try reader.read(url.path, pair, take)
                let expected = reader.expected(pair, take)
                #expect(reading == expected, "\(reader.rawValue) reads \(take)")
                // One refusal stands for all.
                if reading == .refused, expected == .refused { refusing.insert(reader) }
            }
        }
    }

    @Test("the table has every pair that recorders offer") func theTableIsWhole() {
        let formats = [
            kAudioFormatLinearPCM, kAudioFormatMPEG4AAC, kAudioFormatAppleLossless, kAudioFormatAppleIMA4,
            kAudioFormatULaw, kAudioFormatALaw, kAudioFormatFLAC, kAudioFormatOpus,
        ]
        for container in [ContainerKind.m4a, .caf, .wav, .aiff, .aifc, .flac, .oggOpus] {
            let url = URL(fileURLWithPath: "/a.\(container.name)")
            for format in formats {
                let isOffered = (try? RecordingSettings([AVFormatIDKey: format], url: url)) != nil
                let isListed = Pair.all.contains {
                    $0.container == container && $0.format == format && $0.request == nil
                }
                #expect(isOffered == isListed, "\(format) in \(container.name)")
            }
        }
    }
}
