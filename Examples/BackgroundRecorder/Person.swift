import AVFoundation
import AudioSimulation
import ExampleSupport

/// Lets a day happen to the screen, presses its buttons and looks at what it says.
@MainActor
struct Person {
    let promises = Promises()
    let audio: SimulatedAudio
    let screen = BackgroundRecorderScreen(
        file: URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent("Lecture.m4a"),
        longest: .seconds(660)
    )

    init(audio: SimulatedAudio) { self.audio = audio }

    func visit() {
        let session = AVAudioSession.sharedInstance()
        promises.keep("C01", "the category is for playing and recording", session.category == .playAndRecord)
        promises.keep(
            "C01",
            "with the loudspeaker and Bluetooth outputs",
            session.categoryOptions == [.defaultToSpeaker, .allowBluetoothA2DP] && session.mode == .default
        )
        promises.keep("A02", "the session is active, and nothing failed", screen.failure == nil)
        promises.keep("B01", "the microphone may be used", wait(upTo: 5) { screen.isAllowed == true })

        screen.recordTapped()
        promises.keep("A03", "it records", screen.state == .recording && screen.failure == nil)
        pass(12)
        screen.tick()
        promises.keep("C04", "levels are shown", screen.levels.count == 1)

        callWithResume()
        inTheBackground()
        assistantWithoutResume()
        backInFront()
        deadline()
    }

    /// Thirty seconds of a telephone call.
    func callWithResume() {
        promises.keep("C02", "before the call twelve seconds are recorded", has(12))
        audio.beginInterruption(.call)
        pass(0.01)
        promises.keep("C02", "a call interrupts it", wait(upTo: 20) { screen.state == .interrupted })
        pass(30)
        promises.keep("C02", "what was said is kept, and no more", has(12))
        audio.endInterruption(.call, shouldResume: true)
        pass(0.01)
        promises.keep("C02", "after the call it goes on by itself", wait(upTo: 20) { screen.state == .recording })
        pass(8)
        promises.keep("C02", "in the same take", has(20))
    }

    func inTheBackground() {
        audio.setAppState(.background)
        promises.keep("C04", "in the background a banner says that it records", wait(upTo: 20) { banner != nil })
        promises.note("C04", banner.map { "\($0.title): \($0.body)" } ?? "no banner")
        promises.keep("C04", "and the machine is kept awake", audio.isKeptAwake)
        pass(320)
        promises.keep("C01", "it goes on in the background", has(340))

        var power = SimulatedAudio.Power(batteryLevel: 0.08, isLowPowerMode: true)
        power.warning = .low
        audio.setPower(power)
        audio.setMemoryPressure(.critical)
        pass(1)
        promises.keep("C06", "low power is noticed", wait(upTo: 5) { screen.savesPower })
        promises.keep("C06", "short memory, too", wait(upTo: 5) { screen.levels.isEmpty })
        promises.keep("C06", "and it records on", screen.state == .recording)
    }

    /// In the background, with low power: all at once.
    func assistantWithoutResume() {
        audio.beginInterruption(.assistant)
        pass(0.01)
        promises.keep(
            "C06",
            "an assistant interrupts it, in the background, with low power",
            wait(upTo: 20) { screen.state == .interrupted }
        )
        let before = seconds
        pass(5)
        promises.keep("C04", "the banner says so", wait(upTo: 20) { banner?.title.hasPrefix("Paused") == true })
        promises.keep("C06", "interrupted, it keeps no machine awake", !audio.isKeptAwake)
        audio.endInterruption(.assistant, shouldResume: false)
        pass(0.01)
        promises.keep(
            "C02",
            "after an assistant a Resume button is shown",
            wait(upTo: 20) { screen.isResumeButtonShown }
        )
        pass(60)
        promises.keep("C02", "and it does not go on by itself", screen.state == .interrupted)
        promises.keep("C02", "nothing was recorded meanwhile", seconds == before)
    }

    func backInFront() {
        let before = seconds
        audio.setAppState(.foreground)
        promises.keep("C04", "in front the banner goes", wait(upTo: 20) { banner == nil })
        screen.resumeTapped()
        pass(10)
        promises.keep(
            "C02",
            "the Resume button goes on with the same take",
            screen.state == .recording && !screen.isResumeButtonShown && has(before + 10)
        )
        promises.keep("B02", "and nothing failed", screen.failure == nil)
        promises.note("B02", screen.failure ?? "no failure")
    }

    func deadline() {
        // Eleven minutes since the start, of which 30 and 65 seconds were not recorded.
        pass(660)
        promises.keep("C04", "at the deadline it stops by itself", wait(upTo: 20) { screen.recordingsEnded == [true] })
        promises.keep("C03", "the parts become one file", wait(upTo: 60) { savedFrames != nil })
        let length = Double(savedFrames ?? 0) / 44100
        promises.keep("C03", "with everything that was recorded", abs(length - (660 - 30 - 65)) < 1)
        promises.note("C03", screen.file.path)
        promises.keep("C05", "ten minutes of AAC are below 10 MB", (1_000_000...10_000_000).contains(size))
        promises.keep("C04", "and the machine may sleep", !audio.isKeptAwake)
    }

    func visitRefused() {
        promises.keep("B01", "the refusal is told", wait(upTo: 5) { screen.isAllowed == false })
        screen.recordTapped()
        promises.keep("B01", "and nothing records", screen.state == .ready)
    }

    // MARK: Looking

    private var banner: SimulatedAudio.ShownStatus? { audio.shownStatus.first }

    private var seconds: TimeInterval { screen.recorder?.currentTime ?? 0 }

    /// So many seconds are recorded, within three tenths, once everything that was heard is encoded.
    private func has(_ expected: TimeInterval) -> Bool { wait(upTo: 20) { abs(seconds - expected) < 0.3 } }

    private var savedFrames: Int64? { if case .saved(let frames) = screen.state { frames } else { nil } }

    private var size: Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: screen.file.path)
        return (attributes?[.size] as? NSNumber)?.intValue ?? 0
    }

    /// Lets simulated time pass while the main queue works.
    private func pass(_ seconds: Double) {
        let audio = self.audio
        let work = DispatchWorkItem { audio.advance(by: .seconds(seconds)) }
        DispatchQueue.global().async(execute: work)
        _ = wait(upTo: 120) { work.wait(timeout: .now()) == .success }
        // What happened last is told.
        letTimePass(0.05)
    }
}
