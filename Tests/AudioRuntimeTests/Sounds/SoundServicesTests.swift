import AudioCore
import AudioRuntime
import AudioSimulation
import Foundation
import Synchronization
import TestSupport
import Testing

/// System sounds in virtual time: exact to the frame.
@Suite("System sounds", .serialized)
struct SoundServicesTests {
    @Test("sounds begin when they are called, are added up, and end where they end")
    func exact() throws {
        let bench = try SoundBench()
        let first = try bench.create(1_000, frames: 4_800)
        let second = try bench.create(100, frames: 4_800)
        #expect(first > 0x1000 && second > first)
        bench.services.play(first)
        bench.host.clock.advance(by: .milliseconds(50))
        bench.services.play(second)
        bench.services.play(second)
        bench.host.clock.advance(by: .milliseconds(300))
        #expect(bench.host.tracks.count == 1)
        let heard = bench.stretches().prefix(4)
        #expect(heard.map(\.value) == [1_000, 1_200, 200, 0])
        #expect(heard.prefix(3).map(\.frames) == [2_400, 2_400, 2_400])
    }

    @Test("a hundred sounds at once begin in one frame, and each is told when it was heard")
    func hundred() throws {
        let bench = try SoundBench()
        let sounds = try (0..<10).map { try bench.create(Int16(10 + $0), frames: 4_800 + 480 * $0) }
        let ends = Recorded<Int64>()
        let clock = bench.host.clock
        for index in 0..<100 {
            bench.services.play(sounds[index % 10]) { failure in
                #expect(failure == nil)
                ends.append(clock.now.nanoseconds)
            }
        }
        clock.advance(by: .seconds(1))
        let heard = bench.stretches()
        #expect(heard.first?.value == 10 * (10...19).reduce(0, +))
        #expect(heard.first?.frames == 4_800)
        #expect(heard.dropFirst().prefix(9).allSatisfy { $0.frames == 480 })
        let told = ends.all
        #expect(told.count == 100)
        // Ten each, and the speaker is 10 ms behind.
        for (index, time) in told.enumerated() {
            let end = 110_000_000 + Int64(index / 10) * 10_000_000
            #expect(abs(time - end) <= 10_000_000, "\(index): \(time)")
        }
    }

    @Test("a disposed sound is silent within 240 frames, and what was waiting for it is told")
    func disposed() throws {
        let bench = try SoundBench()
        let sound = try bench.create(8_000, frames: 48_000)
        let told = Recorded<AudioFailure?>()
        let routines = Atomic<Int>(0)
        let isSet = bench.services.setRoutine({ routines.add(1, ordering: .relaxed) }, of: sound)
        #expect(isSet)
        bench.services.play(sound) { told.append($0) }
        bench.host.clock.advance(by: .milliseconds(100))
        #expect(bench.services.dispose(sound))
        bench.services.play(sound) { told.append($0) }
        bench.host.clock.advance(by: .milliseconds(200))
        #expect(told.all.count == 2)
        #expect(told.all.compactMap { $0 }.map(\.code) == [.invalidArgument], "the second is not known any more")
        #expect(routines.load(ordering: .relaxed) == 0)
        let heard = bench.stretches()
        #expect(heard.first?.value == 8_000)
        #expect((4_800...4_810).contains(heard.first?.frames ?? 0))
        #expect(heard.dropFirst().dropLast().reduce(0) { $0 + $1.frames } <= 240)
        #expect(heard.last?.value == 0)
        #expect(!bench.services.dispose(sound))
    }

    @Test("the stream stays for the next sound and goes away after five seconds")
    func lingers() throws {
        let bench = try SoundBench()
        let sound = try bench.create(1_000, frames: 480)
        bench.services.play(sound)
        bench.host.clock.advance(by: .seconds(4))
        bench.services.play(sound)
        bench.host.clock.advance(by: .seconds(10))
        #expect(bench.host.tracks.count == 1)
        let frames = try #require(bench.host.tracks.first).frameCount.value
        #expect(abs(frames - 9 * 48_000) < 4_800, "\(frames)")
        bench.services.play(sound)
        bench.host.clock.advance(by: .seconds(1))
        #expect(bench.host.tracks.count == 2)
        #expect(bench.stretches(1).first?.value == 1_000)
    }

    @Test("each sample rate has a stream, and plays as it is")
    func rates() throws {
        let bench = try SoundBench()
        let rates = [8_000, 11_025, 22_050, 44_100, 48_000, 96_000]
        let told = Atomic<Int>(0)
        for rate in rates {
            bench.services.play(try bench.create(500, frames: rate / 10, rate: rate)) { failure in
                if failure == nil { told.add(1, ordering: .relaxed) }
            }
        }
        bench.host.clock.advance(by: .milliseconds(500))
        #expect(told.load(ordering: .relaxed) == rates.count)
        #expect(Set(bench.host.tracks.map { Int($0.sampleRate) }) == Set(rates))
        for track in bench.host.tracks.indices {
            #expect(bench.stretches(track).first?.value == 500)
            #expect(bench.stretches(track).first?.frames == Int(bench.host.tracks[track].sampleRate) / 10)
        }
    }

    @Test("no more sample rates than eight play at the same time; an idle one makes room")
    func manyRates() throws {
        let bench = try SoundBench()
        let sounds = try (0..<9).map { try bench.create(500, frames: 8_000, rate: 8_000 + $0 * 100) }
        let told = Recorded<AudioFailure?>()
        for sound in sounds { bench.services.play(sound) { told.append($0) } }
        bench.host.clock.advance(by: .seconds(2))
        #expect(told.all.count == 9)
        #expect(told.all.compactMap { $0?.code } == [.limitReached])
        bench.services.play(sounds[8]) { told.append($0) }
        bench.host.clock.advance(by: .seconds(2))
        #expect(told.all.count == 10 && told.all.last == .some(nil))
    }

    @Test("a speaker that goes away ends its sounds, and the next one is opened")
    func lost() throws {
        let bench = try SoundBench()
        let sound = try bench.create(1_000, frames: 48_000)
        let told = Recorded<AudioFailure?>()
        bench.services.play(sound) { told.append($0) }
        bench.host.clock.advance(by: .milliseconds(100))
        bench.host.inject(.serverLoss)
        bench.host.clock.advance(by: .milliseconds(100))
        #expect(told.all.count == 1 && told.all.first??.code != nil)
        for _ in 0..<50 { bench.services.play(sound) { told.append($0) } }
        bench.host.clock.advance(by: .milliseconds(100))
        #expect(told.all.compactMap { $0 }.count == 51)
        bench.host.inject(.serverReturn)
        bench.host.clock.advance(by: .seconds(2))
        bench.services.play(sound) { told.append($0) }
        bench.host.clock.advance(by: .seconds(2))
        #expect(told.all.count == 52 && told.all.last == .some(nil))
    }

    @Test("a speaker that takes nothing is given up")
    func stuck() throws {
        let bench = try SoundBench()
        let sound = try bench.create(1_000, frames: 4_800)
        let told = Recorded<AudioFailure?>()
        bench.host.inject(.suspend(SoundBench.speaker, true))
        bench.services.play(sound) { told.append($0) }
        bench.host.clock.advance(by: .seconds(1))
        #expect(told.all.isEmpty)
        bench.host.clock.advance(by: .seconds(10))
        #expect(told.all.map { $0?.code } == [.deviceUnavailable])
    }

    @Test("files that are no system sounds are refused with the reason")
    func badFiles() throws {
        let bench = try SoundBench()
        func failure(_ name: String) -> AudioFailure.Code? {
            do throws(AudioFailure) {
                _ = try bench.services.create(path: bench.scratch.path(name))
                return nil
            } catch {
                return error.code
            }
        }
        let rate = 8_000
        let second = [Int16](repeating: 1, count: rate)
        _ = try bench.scratch.write(WaveFile.bytes(Array(repeating: 1, count: rate * 30), rate: rate), to: "30.wav")
        _ = try bench.scratch.write(WaveFile.bytes(Array(repeating: 1, count: rate * 30 + 1), rate: rate), to: "31.wav")
        _ = try bench.scratch.write(WaveFile.bytes([], rate: rate), to: "none.wav")
        _ = try bench.scratch.write([], to: "empty.wav")
        _ = try bench.scratch.write(Array("It was a dark and stormy night.".utf8), to: "text.wav")
        _ = try bench.scratch.write(WaveFile.bytes(second, rate: 3_000_000), to: "fast.wav")
        #expect(failure("30.wav") == nil)
        #expect(failure("31.wav") == .limitReached)
        #expect(failure("none.wav") == .malformedMedia)
        #expect(failure("missing.wav") == .notFound)
        #expect(failure("empty.wav") != nil)
        #expect(failure("text.wav") != nil)
        #expect(failure("fast.wav") != nil)
        #expect(failure("") == .accessDenied, "a folder")
    }

    @Test("sounds of the user interface are silent where the person does not want them")
    func preferences() throws {
        let bench = try SoundBench()
        let sound = try bench.create(1_000, frames: 4_800)
        let told = Atomic<Int>(0)
        bench.desktop.choose(SoundPreferences(playsEventSounds: false))
        bench.services.play(sound) { if $0 == nil { told.add(1, ordering: .relaxed) } }
        bench.host.clock.advance(by: .milliseconds(300))
        #expect(told.load(ordering: .relaxed) == 1)
        #expect(bench.host.tracks.isEmpty)
        #expect(bench.services.setOptions(.init(isUISound: false), of: sound))
        bench.services.play(sound) { if $0 == nil { told.add(1, ordering: .relaxed) } }
        bench.host.clock.advance(by: .milliseconds(300))
        #expect(told.load(ordering: .relaxed) == 2)
        #expect(bench.stretches().first?.value == 1_000)
    }

    @Test("alerts vibrate, and so does the number for it, which has no sound")
    func vibrations() throws {
        let bench = try SoundBench()
        let sound = try bench.create(1_000, frames: 480)
        let told = Atomic<Int>(0)
        bench.services.play(sound) { _ in told.add(1, ordering: .relaxed) }
        #expect(bench.desktop.vibrations == 0)
        bench.services.play(sound, asAlert: true) { _ in told.add(1, ordering: .relaxed) }
        bench.services.play(NumberedSound.vibration) {
            #expect($0 == nil); told.add(1, ordering: .relaxed)
        }
        bench.services.play(1) {
            #expect($0 == nil); told.add(1, ordering: .relaxed)
        }
        bench.host.clock.advance(by: .milliseconds(300))
        #expect(bench.desktop.vibrations == 2)
        #expect(told.load(ordering: .relaxed) == 4)
        #expect(bench.stretches().first?.value == 2_000)
    }

    @Test("what is held back is neither heard nor felt, and completed; what a person asks for is played all the same")
    func heldBack() throws {
        let bench = try SoundBench()
        let sound = try bench.create(1_000, frames: 4_800)
        let isRecording = Flag(true)
        let told = Atomic<Int>(0)
        bench.services.holdBack { isRecording.value }
        bench.services.play(sound, asAlert: true) { if $0 == nil { told.add(1, ordering: .relaxed) } }
        bench.host.clock.advance(by: .milliseconds(300))
        #expect(told.load(ordering: .relaxed) == 1)
        #expect(bench.desktop.vibrations == 0)
        #expect(bench.host.tracks.isEmpty)
        bench.services.play(sound, asAlert: true, isAskedFor: true)
        bench.host.clock.advance(by: .milliseconds(300))
        #expect(bench.desktop.vibrations == 1)
        #expect(bench.stretches().first?.value == 1_000)
        isRecording.value = false
        bench.services.play(sound, asAlert: true)
        bench.host.clock.advance(by: .milliseconds(300))
        #expect(bench.desktop.vibrations == 2)
        #expect(bench.stretches().filter { $0.value == 1_000 }.count == 2)
    }

    private final class Flag: Sendable {
        private let state: Mutex<Bool>
        init(_ value: Bool) { state = Mutex(value) }
        var value: Bool {
            get { state.withLock { $0 } }
            set { state.withLock { $0 = newValue } }
        }
    }

    @Test(
        "the documented formats and others are decoded to their frames",
        .enabled(if: ExternalTool.areInstalled("ffmpeg"), "ffmpeg is not installed"),
        arguments: [
            ("a.caf", "adpcm_ima_qt"), ("b.caf", "pcm_s16be"), ("c.aif", "pcm_s24be"), ("d.wav", "pcm_u8"),
            ("e.wav", "pcm_f32le"), ("f.mp3", "libmp3lame"), ("g.oga", "libvorbis"), ("h.m4a", "aac"),
            ("i.flac", "flac"),
        ]
    )
    func formats(name: String, codec: String) throws {
        let bench = try SoundBench()
        let source = try bench.scratch.write(
            WaveFile.bytes([Int16](repeating: 8_000, count: 44_100 * 2), rate: 44_100, channels: 2),
            to: "source.wav"
        )
        let made = try ExternalTool.run(
            "ffmpeg",
            ["-nostdin", "-loglevel", "error", "-i", source, "-c:a", codec, bench.scratch.path(name)]
        )
        try #require(made.status == 0, "\(made.messages)")
        bench.services.play(try bench.services.create(path: bench.scratch.path(name)))
        bench.host.clock.advance(by: .milliseconds(1_500))
        let track = try #require(bench.host.tracks.first)
        #expect(track.sampleRate == 44_100)
        let left = stride(from: 0, to: track.samples.count, by: 2).map { track.samples[$0] }
        let heard = left.filter { abs($0 - 8_000 / 32_768) < 0.02 }.count
        // Some writers do not state where the sound ends within their last packet, and lossy codecs bend its edges.
        #expect(abs(heard - 44_100) < 2_400, "\(heard)")
    }

    @Test("a routine is called at each end, the last one that was set; a sound of the system can have one")
    func routines() throws {
        let bench = try SoundBench()
        let sound = try bench.create(1_000, frames: 480)
        let called = Recorded<String>()
        _ = bench.services.setRoutine({ called.append("first") }, of: sound)
        _ = bench.services.setRoutine({ called.append("second") }, of: sound)
        _ = bench.services.setRoutine({ called.append("vibration") }, of: NumberedSound.vibration)
        let isKnown = bench.services.setRoutine({ called.append("never") }, of: sound + 1)
        #expect(!isKnown)
        bench.services.play(sound)
        bench.host.clock.advance(by: .milliseconds(100))
        #expect(called.all == ["second"])
        bench.services.play(sound)
        bench.services.play(NumberedSound.vibration)
        bench.host.clock.advance(by: .milliseconds(100))
        #expect(called.all.sorted() == ["second", "second", "vibration"])
        #expect(bench.services.setRoutine(nil, of: sound))
        bench.services.play(sound)
        bench.host.clock.advance(by: .milliseconds(100))
        #expect(called.all.count == 3)
    }

    @Test("a completion may play the next sound: without a gap of more than one delivery")
    func chains() throws {
        let bench = try SoundBench()
        let sound = try bench.create(1_000, frames: 4_800)
        let played = Atomic<Int>(0)
        @Sendable func again() {
            if played.add(1, ordering: .relaxed).newValue <= 5 { bench.services.play(sound) { _ in again() } }
        }
        again()
        bench.host.clock.advance(by: .seconds(2))
        #expect(played.load(ordering: .relaxed) == 6)
        let sounds = bench.stretches().filter { $0.value == 1_000 }
        #expect(sounds.count == 5 && sounds.allSatisfy { $0.frames == 4_800 })
        // The speaker is 10 ms behind, and a delivery has 10 ms.
        let gaps = bench.stretches().filter { $0.value == 0 }.prefix(4)
        #expect(gaps.allSatisfy { $0.frames <= 2 * 480 }, "\(gaps)")
    }
}
