import AVFAudio
import Foundation
import TestSupport
import Testing

@Suite struct AVAudioFileTests {
    private let bench: FileBench
    private let settings: [String: Any] = [AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 1]

    init() throws { bench = try FileBench() }

    @Test func formatsTellWhatTheFileIs() throws {
        let url = bench.folder.file("a.wav")
        let file = try AVAudioFile(forWriting: url, settings: settings)
        #expect(file.url == url)
        #expect(file.isOpen)
        #expect(file.processingFormat.isStandard)
        #expect(file.fileFormat.commonFormat == .pcmFormatInt16)
        #expect(file.fileFormat.isInterleaved)
        #expect(file.fileFormat.settings[AVLinearPCMBitDepthKey] as? Int == 16)
        file.close()
        let copy = try AVAudioFile(forReading: url)
        #expect(copy.fileFormat == file.fileFormat)
        #expect(copy.processingFormat == file.processingFormat)
        #expect(copy.length == 0)
    }

    @Test func aFileThatIsWrittenPlaysAlready() throws {
        let url = bench.folder.file("a.caf")
        let file = try AVAudioFile(forWriting: url, settings: settings)
        let samples = FileBench.samples(44_100, channels: 1, sampleRate: 44_100)
        try file.write(from: FileBench.buffer(samples, file.processingFormat))
        let copy = try AVAudioFile(forReading: url)
        #expect(copy.length >= 22_050)
        #expect(file.length == 44_100)
        #expect(file.framePosition == 44_100)
        file.framePosition = 0
        #expect(file.framePosition == 44_100)
    }

    @Test func goingAwayCompletesTheFile() throws {
        let url = bench.folder.file("a.caf")
        let samples = FileBench.samples(1234, channels: 1, sampleRate: 44_100)
        do {
            let file = try AVAudioFile(forWriting: url, settings: settings)
            try file.write(from: FileBench.buffer(samples, file.processingFormat))
        }
        #expect(try AVAudioFile(forReading: url).length == 1234)
        #expect(bench.folder.names == ["a.caf"])
    }

    @Test func aNewFileReplacesTheOld() throws {
        _ = try bench.folder.write([1, 2, 3], to: "a.wav")
        let url = try bench.write(FileBench.samples(10, channels: 1, sampleRate: 44_100), to: "a.wav", settings)
        #expect(try AVAudioFile(forReading: url).length == 10)
        #expect(bench.folder.names == ["a.wav"])
    }

    @Test func impossibleSettingsLeaveTheOldFile() throws {
        _ = try bench.folder.write([1, 2, 3], to: "a.wav")
        let url = bench.folder.file("a.wav")
        let error = try #require(throws: NSError.self) {
            try AVAudioFile(forWriting: url, settings: [AVFormatIDKey: kAudioFormatMPEG4AAC])
        }
        #expect(error.domain == "com.apple.coreaudio.avfaudio")
        #expect(error.code == Int(kAudioFileUnsupportedDataFormatError))
        #expect(error.localizedDescription.contains("AVFormatIDKey"))
        #expect(try bench.folder.read("a.wav") == [1, 2, 3])
        #expect(bench.folder.names == ["a.wav"])
    }

    @Test func missingFile() throws {
        let url = bench.folder.file("none.wav")
        let error = try #require(throws: NSError.self) { try AVAudioFile(forReading: url) }
        #expect(error.domain == "com.apple.coreaudio.avfaudio")
        #expect(error.code == Int(kAudioFileFileNotFoundError))
        #expect(error.userInfo[NSFilePathErrorKey] as? String == url.path)
        #expect((error.userInfo[NSUnderlyingErrorKey] as? NSError)?.domain == NSPOSIXErrorDomain)
    }

    @Test func whatIsNoSound() throws {
        _ = try bench.folder.write(Array("This is a text, not a sound.".utf8), to: "a.wav")
        _ = try bench.folder.write([], to: "empty.m4a")
        for name in ["a.wav", "empty.m4a"] {
            let error = try #require(throws: NSError.self) { try AVAudioFile(forReading: bench.folder.file(name)) }
            #expect(error.code == Int(kAudioFileInvalidFileError))
        }
        let remote = try #require(URL(string: "https://example.org/a.m4a"))
        #expect(throws: NSError.self) { try AVAudioFile(forReading: remote) }
    }

    @Test func missingFolder() throws {
        let url = bench.folder.url.appendingPathComponent("none/a.wav")
        let error = try #require(throws: NSError.self) { try AVAudioFile(forWriting: url, settings: settings) }
        #expect(error.code == Int(kAudioFileFileNotFoundError))
    }

    @Test func wrongUse() throws {
        let url = try bench.write(FileBench.samples(100, channels: 1, sampleRate: 44_100), to: "a.wav", settings)
        let file = try AVAudioFile(forReading: url)
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 10))
        #expect(throws: NSError.self) { try file.write(from: buffer) }
        #expect(throws: NSError.self) { try file.read(into: buffer, frameCount: 11) }
        let other = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
        let wrong = try #require(AVAudioPCMBuffer(pcmFormat: other, frameCapacity: 10))
        #expect(throws: NSError.self) { try file.read(into: wrong) }
        #expect(throws: NSError.self) {
            try AVAudioFile(forReading: url, commonFormat: .otherFormat, interleaved: false)
        }
        try file.read(into: buffer, frameCount: 4)
        #expect(buffer.frameLength == 4)
        file.framePosition = -5
        #expect(file.framePosition == 0)
        file.framePosition = 1000
        #expect(file.framePosition == 100)
        file.close()
        file.close()
        #expect(!file.isOpen)
        #expect(file.length == 100)
        #expect(throws: NSError.self) { try file.read(into: buffer) }
    }

    @Test func moreThanTwoChannels() throws {
        let samples = FileBench.samples(500, channels: 4, sampleRate: 44_100)
        let url = try bench.write(samples, to: "a.wav", [AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 4])
        let file = try AVAudioFile(forReading: url)
        #expect(file.processingFormat.channelCount == 4)
        #expect(file.processingFormat.channelLayout?.channelCount == 4)
        let copy = try bench.read(url)
        for (a, b) in zip(samples, copy) { #expect(FileBench.quality(a, b) > 70) }
    }

    /// Programs derive classes from it.
    final class Subclass: AVAudioFile {
        var marks = 0
        override func close() {
            marks += 1
            super.close()
        }
    }

    @Test func classesCanBeDerived() throws {
        let file = try Subclass(forWriting: bench.folder.file("a.wav"), settings: settings)
        file.close()
        #expect(file.marks == 1)
    }
}
