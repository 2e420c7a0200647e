import AudioSimulation
import AudioToolbox
import Synchronization
import TestSupport
import Testing

/// Apple's functions as client code calls them, on simulated devices. `import AudioToolbox` alone brings all that they need.
@Suite("AudioServices", .serialized)
struct SystemSoundTests {
    let audio = SimulatedAudio(.init(time: .free))
    let folder: TemporaryFolder
    let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = URL(fileURLWithPath: try folder.write(WaveFile.tone(440, frames: 4_800, rate: 48_000), to: "ding.wav"))
    }

    func create() throws -> SystemSoundID {
        var id: SystemSoundID = 0
        try #require(AudioServicesCreateSystemSoundID(url as CFURL, &id) == kAudioServicesNoError)
        return id
    }

    /// Under this test runner the main queue has no thread of its own by which it could be told.
    private static let key = DispatchSpecificKey<Bool>()
    private static var isMainQueue: Bool { DispatchQueue.getSpecific(key: key) == true }

    /// What client data points to.
    private final class Calls: Sendable {
        let count = Atomic<Int>(0)
        let onMain = Atomic<Int>(0)
        let last = Atomic<UInt32>(0)

        init() { DispatchQueue.main.setSpecific(key: SystemSoundTests.key, value: true) }

        var data: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }
    }

    private static let routine: AudioServicesSystemSoundCompletionProc = { id, data in
        guard let data else { return }
        let calls = Unmanaged<Calls>.fromOpaque(data).takeUnretainedValue()
        if isMainQueue { calls.onMain.add(1, ordering: .relaxed) }
        calls.last.store(id, ordering: .relaxed)
        calls.count.add(1, ordering: .relaxed)
    }

    @Test("a sound is created, played and disposed of as pages and books show it")
    func asInBooks() async throws {
        audio.install()
        defer { audio.uninstall() }
        var soundID: SystemSoundID = 0
        AudioServicesCreateSystemSoundID(url as CFURL, &soundID)
        #expect(soundID != 0)
        let calls = Calls()
        AudioServicesAddSystemSoundCompletion(soundID, nil, nil, Self.routine, calls.data)
        AudioServicesPlaySystemSound(soundID)
        #expect(await eventually { calls.count.load(ordering: .relaxed) == 1 })
        #expect(calls.onMain.load(ordering: .relaxed) == 1)
        #expect(calls.last.load(ordering: .relaxed) == soundID)
        AudioServicesPlayAlertSound(soundID)
        #expect(await eventually { calls.count.load(ordering: .relaxed) == 2 })
        AudioServicesRemoveSystemSoundCompletion(soundID)
        let flag = Flag()
        AudioServicesPlaySystemSoundWithCompletion(soundID) { flag.set() }
        #expect(await eventually { flag.isSet })
        AudioServicesPlayAlertSoundWithCompletion(soundID, nil)
        #expect(calls.count.load(ordering: .relaxed) == 2)
        #expect(AudioServicesDisposeSystemSoundID(soundID) == kAudioServicesNoError)
        #expect(AudioServicesDisposeSystemSoundID(soundID) == kAudioServicesSystemSoundUnspecifiedError)
        #expect(audio.playedSounds.first?.samples.contains { abs($0) > 0.4 } == true)
        withExtendedLifetime(calls) {}
    }

    @Test(
        "a completion block comes for every call, also where nothing can be played, on a queue that is not the main one"
    )
    func blocks() async throws {
        audio.install()
        defer { audio.uninstall() }
        let id = try create()
        let calls = Calls()
        func block() {
            AudioServicesPlaySystemSoundWithCompletion(id) { [calls] in
                if Self.isMainQueue { calls.onMain.add(1, ordering: .relaxed) }
                calls.count.add(1, ordering: .relaxed)
            }
        }
        block()
        for silent in [0, 1, 1_999, id + 1_000, .max, kSystemSoundID_Vibrate, kSystemSoundID_FlashScreen] {
            AudioServicesPlaySystemSoundWithCompletion(silent) { [calls] in calls.count.add(1, ordering: .relaxed) }
        }
        #expect(await eventually { calls.count.load(ordering: .relaxed) == 8 })
        audio.setServerRunning(false)
        block()
        #expect(await eventually { calls.count.load(ordering: .relaxed) == 9 })
        audio.setServerRunning(true)
        #expect(calls.onMain.load(ordering: .relaxed) == 0)
        AudioServicesDisposeSystemSoundID(id)
    }

    @Test("a routine is called on the run loop that was asked for, in its mode")
    func runLoops() async throws {
        audio.install()
        defer { audio.uninstall() }
        let id = try create()
        let calls = Calls()
        let isReady = Flag()
        let isOver = Flag()
        let wasOnThread = Flag()
        Thread.detachNewThread {
            guard let loop = CFRunLoopGetCurrent() else { return }
            let status = AudioServicesAddSystemSoundCompletion(
                id,
                loop,
                kCFRunLoopDefaultMode,
                Self.routine,
                calls.data
            )
            guard status == kAudioServicesNoError else { return }
            isReady.set()
            while calls.count.load(ordering: .relaxed) == 0, !isOver.isSet {
                _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.1))
            }
            if calls.count.load(ordering: .relaxed) == 1 { wasOnThread.set() }
        }
        #expect(await eventually { isReady.isSet })
        AudioServicesPlaySystemSound(id)
        #expect(await eventually { wasOnThread.isSet })
        #expect(calls.onMain.load(ordering: .relaxed) == 0)
        isOver.set()
        AudioServicesDisposeSystemSoundID(id)
        withExtendedLifetime(calls) {}
    }

    @Test("what is no sound is refused with Apple's codes, and the identifier stays as it was")
    func refused() throws {
        var id: SystemSoundID = 7
        func status(_ url: URL) -> OSStatus { AudioServicesCreateSystemSoundID(url as CFURL, &id) }
        #expect(status(folder.file("missing.wav")) == kAudioServicesSystemSoundUnspecifiedError)
        #expect(status(folder.url) == kAudioServicesSystemSoundUnspecifiedError)
        let text = URL(fileURLWithPath: try folder.write(Array("no sound".utf8), to: "a.txt"))
        #expect(status(text) == kAudioServicesSystemSoundUnspecifiedError)
        if let web = URL(string: "https://example.org/a.wav") {
            #expect(status(web) == kAudioServicesSystemSoundUnspecifiedError)
        }
        let long = WaveFile.bytes(Array(repeating: 1, count: 8_000 * 31), rate: 8_000)
        let file = URL(fileURLWithPath: try folder.write(long, to: "31.wav"))
        #expect(status(file) == kAudioServicesSystemSoundExceededMaximumDurationError)
        #expect(id == 7)
        let added = AudioServicesAddSystemSoundCompletion(999_999_999, nil, nil, Self.routine, nil)
        #expect(added == kAudioServicesSystemSoundUnspecifiedError)
        AudioServicesRemoveSystemSoundCompletion(999_999_999)
        #expect(AudioServicesDisposeSystemSoundID(kSystemSoundID_Vibrate) == kAudioServicesSystemSoundUnspecifiedError)
    }

    @Test("properties are read and set, and wrong sizes told")
    func properties() throws {
        var id = try create()
        defer { AudioServicesDisposeSystemSoundID(id) }
        let size = UInt32(MemoryLayout<SystemSoundID>.size)
        for (property, initial) in [
            (kAudioServicesPropertyIsUISound, 1), (kAudioServicesPropertyCompletePlaybackIfAppDies, 0),
        ] as [(AudioServicesPropertyID, UInt32)] {
            var dataSize: UInt32 = 0
            var isWritable: DarwinBoolean = false
            #expect(AudioServicesGetPropertyInfo(property, size, &id, &dataSize, &isWritable) == kAudioServicesNoError)
            #expect(dataSize == 4 && isWritable.boolValue)
            #expect(AudioServicesGetPropertyInfo(property, size, &id, nil, nil) == kAudioServicesNoError)
            var value: UInt32 = 99
            #expect(AudioServicesGetProperty(property, size, &id, &dataSize, &value) == kAudioServicesNoError)
            #expect(value == initial)
            var other = 1 - initial
            #expect(AudioServicesSetProperty(property, size, &id, 4, &other) == kAudioServicesNoError)
            #expect(AudioServicesGetProperty(property, size, &id, &dataSize, &value) == kAudioServicesNoError)
            #expect(value == other)
            dataSize = 2
            #expect(AudioServicesGetProperty(property, size, &id, &dataSize, nil) == kAudioServicesNoError)
            #expect(dataSize == 4)
            dataSize = 2
            let short = AudioServicesGetProperty(property, size, &id, &dataSize, &value)
            #expect(short == kAudioServicesBadPropertySizeError)
            #expect(AudioServicesSetProperty(property, size, &id, 8, &other) == kAudioServicesBadPropertySizeError)
            #expect(AudioServicesSetProperty(property, 8, &id, 4, &other) == kAudioServicesBadSpecifierSizeError)
            #expect(AudioServicesSetProperty(property, 0, nil, 4, &other) == kAudioServicesBadSpecifierSizeError)
            var unknown: SystemSoundID = 999_999_999
            let status = AudioServicesGetProperty(property, size, &unknown, &dataSize, &value)
            #expect(status == kAudioServicesSystemSoundUnspecifiedError)
        }
        var dataSize: UInt32 = 4
        var value: UInt32 = 0
        let status = AudioServicesGetProperty(0x6162_6364, size, &id, &dataSize, &value)
        #expect(status == kAudioServicesUnsupportedPropertyError)
    }

    @Test("constants have Apple's values")
    func constants() {
        #expect(kAudioServicesNoError == 0)
        #expect(kAudioServicesUnsupportedPropertyError == 1_886_681_407)
        #expect(kAudioServicesBadPropertySizeError == 561_211_770)
        #expect(kAudioServicesBadSpecifierSizeError == 561_213_539)
        #expect(kAudioServicesSystemSoundUnspecifiedError == -1_500)
        #expect(kAudioServicesSystemSoundClientTimedOutError == -1_501)
        #expect(kAudioServicesSystemSoundExceededMaximumDurationError == -1_502)
        #expect(kSystemSoundID_UserPreferredAlert == 4_096)
        #expect(kUserPreferredAlert == 4_096)
        #expect(kSystemSoundID_Vibrate == 4_095)
        #expect(kSystemSoundID_FlashScreen == 4_094)
        #expect(kAudioServicesPropertyIsUISound == 1_769_174_377)
        #expect(kAudioServicesPropertyCompletePlaybackIfAppDies == 1_768_318_057)
    }

    private final class Flag: Sendable {
        private let value = Atomic<Bool>(false)
        func set() { value.store(true, ordering: .releasing) }
        var isSet: Bool { value.load(ordering: .acquiring) }
    }
}
