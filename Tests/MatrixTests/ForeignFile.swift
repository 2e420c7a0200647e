import AudioCore
import Foundation
import TestSupport
import Testing

/// A file of somebody else's making.
struct ForeignFile: Sendable, CustomTestStringConvertible {
    /// Its name, which also tells some programs what to make.
    var name: String
    /// The command line that makes OUT of IN, a WAV file of 16 bits.
    var command: String
    var floor: Double?
    var rates = [44_100.0, 48_000]
    /// The program and its options, for people.
    var shown: String {
        command.replacingOccurrences(
            of: " --quiet| --silent| -v error| -q filesrc location=IN !| ! filesink location=OUT",
            with: "",
            options: .regularExpression
        )
        .replacingOccurrences(of: "  ", with: " ")
    }

    var testDescription: String { "\(name): \(command)" }

    var takes: [Take] {
        [(rates[0], 1, 44_123), (rates[rates.count - 1], 2, 11_003)].map { rate, channels, frames in
            Take(rate: rate, channels: channels, frames: frames, bits: floor == nil ? 16 : 0, floor: floor)
        }
    }

    /// Makes the file out of a take.
    func make(_ take: Take, in folder: TemporaryFolder) throws -> URL {
        let source = folder.file("source.wav")
        let wave = try #require(Pair.all.first { $0.container == .wav && $0.bits == 16 })
        try SoundFile.write(take, wave, to: source)
        let output = folder.file(name)
        let line = command.replacingOccurrences(of: "IN", with: source.path)
            .replacingOccurrences(of: "OUT", with: output.path)
        let result = try ExternalTool.run("sh", ["-c", line])
        #expect(result.status == 0, "\(line): \(result.messages)")
        return output
    }
}

extension ForeignFile {
    static let all = ffmpeg + sox + libsndfile + gstreamer + reference

    /// One file for each line: its name, then what stands for OPTIONS in the command.
    private static func files(
        _ command: String,
        floor: Double? = nil,
        rates: [Double] = [44_100, 48_000],
        _ table: String
    ) -> [ForeignFile] {
        table.split(separator: "\n").map { line in
            let (name, options) = (line.prefix { $0 != " " }, line.drop { $0 != " " }.drop { $0 == " " })
            let command = command.replacingOccurrences(of: "OPTIONS", with: options)
            return ForeignFile(name: String(name), command: command, floor: floor, rates: rates)
        }
    }

    private static let ffmpeg: [ForeignFile] = {
        let command = "ffmpeg -v error -i IN -c:a OPTIONS OUT"
        let lossless = files(
            command,
            """
            a.wav pcm_s16le
            a.wav pcm_s24le
            a.wav pcm_s32le
            a.wav pcm_f32le
            a.wav pcm_f64le
            a.wav pcm_s16le -rf64 always
            a.w64 pcm_s24le
            a.au pcm_s16be
            a.caf pcm_s16be
            a.caf pcm_s16le
            a.caf pcm_s24be
            a.caf pcm_s24le
            a.caf pcm_s32be
            a.caf pcm_f32le
            a.caf pcm_f64be
            a.aiff pcm_s16be
            a.aiff pcm_s24be
            a.aiff pcm_s32be
            a.aifc pcm_s16le -f aiff
            a.aifc pcm_f32be -f aiff
            a.aifc pcm_f64be -f aiff
            a.m4a alac
            a.m4a alac -sample_fmt s32p
            a.mov alac
            a.mov pcm_s16le
            a.caf alac
            a.caf alac -sample_fmt s32p
            a.flac flac
            a.flac flac -sample_fmt s32
            a.oga flac
            a.mka flac
            a.mp4 flac -strict -2
            a.caf flac
            """
        )
        let simple = files(
            command,
            floor: 18,
            """
            a.wav pcm_u8
            a.aiff pcm_s8
            a.wav pcm_mulaw
            a.wav pcm_alaw
            a.caf pcm_mulaw
            a.caf pcm_alaw
            a.aifc pcm_mulaw -f aiff
            a.aifc pcm_alaw -f aiff
            a.caf adpcm_ima_qt
            a.aifc adpcm_ima_qt -f aiff
            """
        )
        let lossy = files(
            command,
            floor: 15,
            """
            a.m4a aac
            a.m4a aac -movflags +faststart
            a.mp4 aac -movflags frag_keyframe+empty_moov -frag_duration 200000
            a.aac aac
            a.mka aac
            a.mp3 libmp3lame -b:a 128k
            a.ogg libvorbis -q:a 6
            a.ac3 ac3 -b:a 256k
            a.eac3 eac3 -b:a 256k
            """
        )
        let opus = files(
            command,
            floor: 15,
            rates: [48_000],
            """
            a.opus libopus -b:a 128k
            a.mka libopus -b:a 128k
            a.mp4 libopus -b:a 128k
            a.caf libopus -b:a 128k
            """
        )
        return lossless + simple + lossy + opus
    }()

    private static let sox: [ForeignFile] =
        files(
            "sox IN OPTIONS OUT",
            """
            a.wav -b 16
            a.wav -b 24
            a.wav -b 32
            a.wav -e float -b 32
            a.aiff -b 16
            a.aiff -b 24
            a.aifc -b 16
            a.caf -b 16
            a.caf -b 24
            a.flac -b 16
            a.flac -b 24
            a.w64 -b 16
            a.au -b 16
            """
        )
        + files(
            "sox IN OPTIONS OUT",
            floor: 15,
            """
            a.wav -e mu-law
            a.wav -e a-law
            a.mp3 -C 128
            a.ogg -C 6
            """
        )

    private static let libsndfile: [ForeignFile] =
        files(
            "sndfile-convert OPTIONS IN OUT",
            """
            a.wav -pcm16
            a.wav -pcm24
            a.wav -pcm32
            a.wav -float32
            a.wav -float64
            a.rf64 -pcm24
            a.w64 -pcm16
            a.aiff -pcm16
            a.aiff -pcm24
            a.aiff -pcm32
            a.aifc -pcm16
            a.aifc -float32
            a.aifc -float64
            a.caf -pcm16
            a.caf -pcm24
            a.caf -pcm32
            a.caf -float32
            a.caf -float64
            a.caf -alac16
            a.caf -alac20
            a.caf -alac24
            a.caf -alac32
            a.flac -pcm16
            a.flac -pcm24
            """
        )
        + files(
            "sndfile-convert OPTIONS IN OUT",
            floor: 15,
            """
            a.wav -ulaw
            a.wav -alaw
            a.aifc -ulaw
            a.aifc -alaw
            a.caf -ulaw
            a.caf -alaw
            a.aifc -ima-adpcm
            """
        ) + files("sndfile-convert OPTIONS IN OUT", floor: 6, "a.ogg -vorbis")

    private static let gstreamer: [ForeignFile] = {
        let command =
            "gst-launch-1.0 -q filesrc location=IN ! wavparse ! audioconvert ! OPTIONS ! filesink location=OUT"
        let lossless = files(
            command,
            """
            a.wav wavenc
            a.aiff aiffmux
            a.caf avmux_caf
            a.flac flacenc
            a.m4a avenc_alac ! mp4mux
            a.mov avenc_alac ! qtmux
            """
        )
        let lossy = files(
            command,
            floor: 12,
            """
            a.wav mulawenc ! wavenc
            a.m4a avenc_aac ! mp4mux
            a.m4a voaacenc bitrate=128000 ! mp4mux
            a.aac voaacenc bitrate=128000 ! audio/mpeg,stream-format=adts
            a.mp3 lamemp3enc
            a.ogg vorbisenc quality=0.6 ! oggmux
            """
        )
        return lossless + lossy
            + files(command, floor: 12, rates: [48_000], "a.opus opusenc bitrate=128000 ! oggmux")
    }()

    private static let reference: [ForeignFile] = {
        let flac = files(
            "flac --silent OPTIONS -o OUT IN",
            """
            a.flac -0
            a.flac -5
            a.flac -8 --blocksize=576
            a.flac -5 --no-padding --no-seektable
            a.oga --ogg
            """
        )
        let piped = files("flac --silent --stdout - < IN > OUT", "a.flac")
        let lame = files(
            "lame --quiet OPTIONS IN OUT",
            floor: 12,
            """
            a.mp3 -b 128
            a.mp3 -V 2
            a.mp3 -V 2 -t
            """
        )
        let vorbis = files("oggenc --quiet -q 6 -o OUT IN", floor: 15, "a.ogg")
        let opus = files(
            "opusenc --quiet --bitrate 128 IN OUT",
            floor: 12,
            rates: [8_000, 16_000, 24_000, 48_000],
            "a.opus"
        )
        return flac + piped + lame + vorbis + opus
    }()
}
