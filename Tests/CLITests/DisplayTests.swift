import Foundation
import KayitCommands
import RecordingKit
import Testing

struct DisplayTests {
    @Test(
        arguments: [
            (0.0, "0:00.0"), (0.099, "0:00.0"), (5.25, "0:05.2"), (59.99, "0:59.9"), (61, "1:01.0"),
            (3723.45, "1:02:03.4"),
            (360_000, "100:00:00.0"), (-1, "0:00.0"), (.nan, "0:00.0"), (.infinity, "0:00.0"), (1e300, nil),
        ] as [(Double, String?)]
    )
    func clocksNeverRunAhead(seconds: Double, text: String?) {
        if let text { #expect(TimeText.clock(seconds) == text) } else { #expect(!TimeText.clock(seconds).isEmpty) }
    }

    @Test func numbersAreShort() {
        #expect(kilo(44_100, "Hz") == "44.1 kHz")
        #expect(kilo(48_000, "Hz") == "48 kHz")
        #expect(kilo(22_050, "Hz") == "22.05 kHz")
        #expect(kilo(800, "bit/s") == "800 bit/s")
        #expect(kilo(1_411_200, "bit/s") == "1.411 Mbit/s")
        #expect(TimeText.exact(1.5) == "1.500000 s")
    }

    @Test func theBarFollowsTheLevel() {
        var meter = ChannelMeter()
        #expect(meter.bar(width: 10, isUnicode: false) == "..........")
        meter.update(average: -30, peak: -12, at: 1)
        #expect(meter.bar(width: 10, isUnicode: false) == "#####..|..")
        #expect(meter.text == " -12.0 dB")
        meter.update(average: 0, peak: 0, at: 1.1)
        #expect(meter.bar(width: 4, isUnicode: true) == "████")
    }

    @Test func peaksAreHeldAndThenFall() {
        var meter = ChannelMeter()
        meter.update(average: -20, peak: -10, at: 0)
        meter.update(average: -40, peak: -30, at: 1)
        #expect(meter.heldPeak == -10)
        meter.update(average: -40, peak: -30, at: 1.6)
        #expect(meter.heldPeak == -30)
    }

    @Test func onlyFullScaleIsClipped() {
        var meter = ChannelMeter()
        meter.update(average: -3, peak: -0.1, at: 0)
        #expect(!meter.hasClipped)
        // The highest sample of 16 bits.
        meter.update(average: -3, peak: -0.000265, at: 0.1)
        #expect(meter.hasClipped)
        meter.update(average: -160, peak: -160, at: 9)
        #expect(meter.hasClipped)
        #expect(meter.text == "  -inf dB CLIP")
    }

    @Test func noLevelIsANumberThatBreaksTheBar() {
        var meter = ChannelMeter()
        for level in [Float.nan, .infinity, -.infinity, 300, -300] {
            meter.update(average: level, peak: level, at: 0)
            #expect(meter.bar(width: 7, isUnicode: false).count == 7)
        }
        #expect(meter.bar(width: 0, isUnicode: false).isEmpty)
        #expect(meter.bar(width: -3, isUnicode: false).isEmpty)
    }

    @Test(arguments: [1, 2, 10, 20, 40, 80, 200], [1, 2])
    func linesFitTheTerminal(columns: Int, channels: Int) {
        let meters = Array(repeating: ChannelMeter(), count: channels)
        let recording = ProgressLine.recording(
            state: "REC  ",
            seconds: 3723.4,
            meters: meters,
            columns: columns,
            isUnicode: true
        )
        #expect(recording.count <= max(columns - 1, 1))
        let playing = ProgressLine.playing(
            state: "PLAY ",
            seconds: 5,
            duration: 10,
            rate: 1.5,
            meters: meters,
            columns: columns,
            isUnicode: true
        )
        #expect(playing.count <= max(columns - 1, 1))
    }

    @Test func thePlaceIsShownInProportion() {
        let line = ProgressLine.playing(state: "PLAY ", seconds: 5, duration: 10, columns: 80, isUnicode: false)
        #expect(line.filter { $0 == "=" }.count == 28)
        #expect(line.filter { $0 == "-" }.count == 28)
        let nothing = ProgressLine.playing(state: "PLAY ", seconds: 0, duration: 0, columns: 80, isUnicode: false)
        #expect(!nothing.contains("="))
    }

    @Test func aPlaybackShowsSpeedAndLevelsBesideItsPlace() {
        var meter = ChannelMeter()
        meter.update(average: -20, peak: -12, at: 0)
        let line = ProgressLine.playing(
            state: "PLAY ",
            seconds: 5,
            duration: 10,
            rate: 1.5,
            meters: [meter],
            columns: 100,
            isUnicode: false
        )
        #expect(line.contains("x1.5") && line.contains("=-") && line.contains("-12.0 dB"))
    }

    @Test func waveformsAreDrawnAroundTheMiddle() {
        let bins = [
            Waveform.Bin(minimum: -1, maximum: 1, rms: 0.7), Waveform.Bin(minimum: 0, maximum: 0, rms: 0),
            Waveform.Bin(minimum: 0, maximum: 0.5, rms: 0.3),
        ]
        let waveform = Waveform(bins: bins, framesPerBin: 1)
        #expect(
            WaveformDrawing.lines(waveform, columns: 3, rows: 4, isUnicode: false) == ["#  ", "# #", "###", "#  "]
        )
        #expect(WaveformDrawing.lines(waveform, columns: 3, rows: 2, isUnicode: true) == ["█ ▄", "█▀▀"])
        #expect(WaveformDrawing.lines(waveform, columns: 2, rows: 2, isUnicode: true).allSatisfy { $0.count == 2 })
        let silence = Waveform(bins: [Waveform.Bin(minimum: 0, maximum: 0, rms: 0)], framesPerBin: 1)
        #expect(WaveformDrawing.peakLevel(silence) == nil)
        #expect(WaveformDrawing.lines(silence, columns: 5, rows: 2, isUnicode: false) == [" ", "#"])
        #expect(abs((WaveformDrawing.peakLevel(waveform) ?? 9) - 0) < 1e-9)
    }
}

struct TerminalTextTests {
    @Test(arguments: [
        ("plain é 日本 🎙️", "plain é 日本 🎙️"), ("a\nb\tc\r", "a\\nb\\tc\\r"), ("\u{1B}[2J", "\\u{1B}[2J"),
        ("\u{7F}\u{9B}", "\\u{7F}\\u{9B}"), ("a\u{202E}b", "a\\u{202E}b"), ("", ""),
    ])
    func terminalsObeyNoName(text: String, shown: String) { #expect(text.printable == shown) }

    @Test func keysAreDecoded() {
        var decoder = KeyDecoder()
        #expect(decoder.decode(Array(" q".utf8)) == [.space, .quit])
        #expect(decoder.decode(Array("\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D".utf8)) == [.up, .down, .right, .left])
        #expect(decoder.decode(Array("\u{1B}OC".utf8)) == [.right])
        #expect(
            decoder.decode(Array("np-+=[]".utf8)) == [.next, .previous, .slower, .faster, .faster, .slower, .faster]
        )
        #expect(decoder.decode(Array("xyz".utf8)).isEmpty)
    }

    @Test func anArrowMayComeInPieces() {
        var decoder = KeyDecoder()
        let keys = [[0x1B], [0x5B], [0x43]].flatMap { decoder.decode($0.map { UInt8($0) }) }
        #expect(keys == [.right])
    }

    @Test func otherSequencesAreNoKeys() {
        var decoder = KeyDecoder()
        // Delete, shift and right, F5: their letters and digits are not keys of their own.
        #expect(decoder.decode(Array("\u{1B}[3~\u{1B}[1;2C\u{1B}[15~".utf8)).isEmpty)
        #expect(decoder.decode(Array("\u{1B}q".utf8)) == [.quit])
        _ = decoder.decode(Array("\u{1B}[".utf8) + Array(repeating: UInt8(ascii: "0"), count: 1000))
        #expect(decoder.decode(Array("q".utf8)) == [.quit])
    }

    @Test(arguments: [
        (["LANG": "de_DE.UTF-8"], true), (["LC_ALL": "C", "LANG": "de_DE.UTF-8"], false), ([:], false),
        (["LC_ALL": "", "LC_CTYPE": "C.utf8"], true), (["LANG": "C"], false), (["LANG": "ca_ES.UTF-8@valencia"], true),
    ])
    func theCharacterSetIsTheEnvironments(environment: [String: String], isUnicode: Bool) {
        #expect(Locale.isUnicode(environment) == isUnicode)
    }
}
