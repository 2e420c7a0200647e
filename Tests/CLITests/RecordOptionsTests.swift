import AVFAudio
import Foundation
import KayitCommands
import RecordingKit
import Testing

struct RecordOptionsTests {
    private func options(_ arguments: String...) throws(UsageError) -> RecordOptions {
        try RecordOptions(ParsedArguments(arguments, RecordOptions.syntax))
    }

    @Test func theDefaultIsAACInM4A() throws {
        let options = try options()
        #expect(options.file == nil)
        #expect(options.fileExtension == "m4a")
        let settings = options.settings
        #expect(settings[AVFormatIDKey] as? AudioFormatID == kAudioFormatMPEG4AAC)
        #expect(settings[AVSampleRateKey] as? Double == 44_100)
        #expect(settings[AVNumberOfChannelsKey] as? Int == 1)
        #expect(settings[AVEncoderBitRateKey] as? Int == 96_000)
    }

    @Test(arguments: [
        ("a.m4a", "m4a", RecordOptions.Format.aac, 44_100.0), ("a.CAF", "caf", .aac, 44_100),
        ("a.wav", "wav", .pcm, 44_100), ("x/y.z/a.aif", "aif", .pcm, 44_100), ("a.aiff", "aiff", .pcm, 44_100),
        ("a.b.aifc", "aifc", .pcm, 44_100), ("a.flac", "flac", .flac, 44_100), ("a.opus", "opus", .opus, 48_000),
        ("12:30 note.wav", "wav", .pcm, 44_100), (".wav", "wav", .pcm, 44_100),
    ])
    func theNameChoosesContainerAndCodec(
        name: String,
        ending: String,
        format: RecordOptions.Format,
        rate: Double
    ) throws {
        let options = try options(name)
        #expect(options.fileExtension == ending)
        #expect(options.format == format)
        #expect(options.rate == rate)
    }

    @Test(arguments: [
        ("aac", "m4a"), ("alac", "m4a"), ("ima4", "caf"), ("pcm", "wav"), ("flac", "flac"), ("opus", "opus"),
    ])
    func theFormatChoosesTheEnding(format: String, ending: String) throws {
        #expect(try options("--format", format).fileExtension == ending)
    }

    @Test(arguments: [("note", "'note.m4a'"), ("note.mp3", "'note.m4a'"), ("a/b.", "'b.m4a'"), ("a/", "'a.m4a'")])
    func unknownEndingsAreNotGuessed(name: String, better: String) throws {
        let error = #expect(throws: UsageError.self) { try options(name) }
        #expect(error?.message.contains(better) == true)
    }

    @Test(
        arguments: [
            (["--rate", "12000"], nil), (["-c", "2"], 192_000), (["--quality", "max"], nil), (["-b", "64000"], 64_000),
            (["--format", "alac"], nil), (["--rate", "48000"], 96_000),
        ] as [([String], Int?)]
    )
    func bitRateIsSetWhereItFits(arguments: [String], bitRate: Int?) throws {
        let options = try RecordOptions(ParsedArguments(arguments, RecordOptions.syntax))
        #expect(options.settings[AVEncoderBitRateKey] as? Int == bitRate)
    }

    @Test func pcmLiesAsItsContainerWants() throws {
        #expect(try options("a.wav").settings[AVLinearPCMIsBigEndianKey] as? Bool == false)
        #expect(try options("a.aiff").settings[AVLinearPCMIsBigEndianKey] as? Bool == true)
        let settings = try options("a.caf", "--format", "pcm", "--bit-depth", "24").settings
        #expect(settings[AVLinearPCMBitDepthKey] as? Int == 24)
        let lossless = try options("a.flac", "--bit-depth", "24").settings
        #expect(lossless[AVEncoderBitDepthHintKey] as? Int == 24)
        #expect(lossless[AVLinearPCMBitDepthKey] == nil)
    }

    @Test func qualityIsApples() throws {
        #expect(try options("-q", "low").settings[AVEncoderAudioQualityKey] as? Int == AVAudioQuality.low.rawValue)
        #expect(try options("-q", "MAX").settings[AVEncoderAudioQualityKey] as? Int == AVAudioQuality.max.rawValue)
    }

    @Test(arguments: [
        ["-c", "3"], ["--duration", "0"], ["--format", "mp3"], ["--quality", "best"], ["a.wav", "b.wav"],
    ])
    func whatCannotBeIsRefused(arguments: [String]) {
        #expect(throws: UsageError.self) { try RecordOptions(ParsedArguments(arguments, RecordOptions.syntax)) }
    }

    @Test func keysAreExplainedByOptions() {
        let message = "AVSampleRateKey: 1 Hz cannot be."
        #expect(RecordOptions.explaining(message) == message + " (--rate)")
        #expect(RecordOptions.explaining("Nothing.") == "Nothing.")
    }

    @Test func datedNamesSortByTime() throws {
        let zone = try #require(TimeZone(secondsFromGMT: 7200))
        #expect(RecordTarget.datedName(Date(timeIntervalSince1970: 1_749_886_212), zone) == "2025-06-14 09.30.12")
    }

    @Test func theNotesFolderCanBeNamed() {
        #expect(RecordTarget.notesFolder(["KAYIT_NOTES": "/a b/c"]).path == "/a b/c")
        #expect(RecordTarget.notesFolder([:]).path == NSHomeDirectory() + "/Recordings")
        #expect(RecordTarget.notesFolder(["KAYIT_NOTES": ""]).lastPathComponent == "Recordings")
    }

    @Test func aMicrophoneThatGoesAwayIsReplacedUnlessAskedOtherwise() throws {
        #expect(try options().microphoneLoss == .fallBack)
        #expect(try options("--on-loss", "wait").microphoneLoss == .wait)
        #expect(try options("--on-loss", "fall-back").microphoneLoss == .fallBack)
        #expect(try options("--on-loss", "STOP").microphoneLoss == .stop)
        #expect(throws: UsageError.self) { try options("--on-loss", "never") }
    }

    @Test func deadChannelsAreLeftOutUnlessAskedOtherwise() throws {
        #expect(try options().channelSelection == .automatic)
        #expect(try options("--channel", "left").channelSelection == .left)
        #expect(try options("--channel", "mix").channelSelection == .mix)
        #expect(throws: UsageError.self) { try options("--channel", "middle") }
    }
}

struct PlayOptionsTests {
    @Test func valuesAndDefaults() throws {
        let plain = try PlayOptions(ParsedArguments(["a.wav", "b.wav"], PlayOptions.syntax))
        #expect(plain.files == ["a.wav", "b.wav"])
        #expect(plain.volume == 1 && plain.pan == 0 && plain.loops == 0 && plain.from == 0)
        let line = ["--volume", "0.5", "--pan", "-1", "-l", "-1", "--from=90", "--device", "usb", "--", "-a.wav"]
        let full = try PlayOptions(ParsedArguments(line, PlayOptions.syntax))
        #expect(full.files == ["-a.wav"])
        #expect(full.volume == 0.5 && full.pan == -1 && full.loops == -1 && full.from == 90)
        #expect(full.device == "usb")
    }

    @Test(arguments: [
        ["--volume", "1.5"], ["--pan", "2"], ["--loops", "-2"], ["--from", "-1"], ["--loops", "0.5"],
    ])
    func whatCannotBeIsRefused(arguments: [String]) {
        #expect(throws: UsageError.self) { try PlayOptions(ParsedArguments(arguments + ["a"], PlayOptions.syntax)) }
    }
}
