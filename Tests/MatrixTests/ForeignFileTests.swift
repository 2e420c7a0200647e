import AVFAudio
import AudioCore
import TestSupport
import Testing

/// What other programs write is read with the count and in the place that it states.
@Suite(
    "Files that others write",
    .enabled(
        if: ExternalTool.areInstalled(
            "ffmpeg",
            "sox",
            "sndfile-convert",
            "gst-launch-1.0",
            "flac",
            "lame",
            "oggenc",
            "opusenc"
        )
    )
) struct ForeignFileTests {
    @Test("we read it whole", arguments: ForeignFile.all) func weReadIt(_ file: ForeignFile) throws {
        for take in file.takes {
            let folder = try TemporaryFolder()
            let url = try file.make(take, in: folder)
            let copy = try SoundFile.read(url)
            #expect(copy.channels == take.channels)
            #expect(
                copy.length == copy.samples.count / copy.channels,
                "\(take): the length that is told is what is read"
            )
            // Opus of others is read at 48 kHz, whatever went in.
            let reading = take.reading(copy.samples, multiple: Int(copy.rate / take.rate))
            #expect(reading == file.deviation(take)?.reading ?? .exact, "\(take)")
        }
    }
}
