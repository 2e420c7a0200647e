import AVFoundation
import ExampleSupport

/// Presses the buttons of the screen and looks at what it says.
@MainActor
struct Person {
    let promises = Promises()
    let screen = RecordAndPlayScreen()

    func visit() {
        promises.keep("A02", "the session is active when the screen is up", screen.message == nil)

        // Record a second and a half without loss, then stop.
        screen.recordPressed()
        promises.keep("A01", "pressed, the record button turns into Stop", screen.recordTitle == "Stop")
        promises.keep("A03", "the session is for recording", AVAudioSession.sharedInstance().category == .record)
        promises.keep("A05", "record() started the recording", screen.isRecording && screen.message == nil)
        letTimePass(1.5)
        screen.recordPressed()
        promises.keep(
            "A01",
            "pressed again it stops and goes back to Record",
            wait(upTo: 2) { screen.recordTitle == "Record" }
        )
        promises.keep("A05", "nothing records after stop()", !screen.isRecording)
        promises.keep("A06", "the delegate heard once that it finished well", screen.recordingsEnded == [true])

        guard let take = screen.soundFile else {
            promises.keep("A04", "there is a take", false)
            return
        }
        promises.note("A04", take.path)
        promises.keep(
            "A04",
            "the take lies in the temporary folder, a number in its name",
            take.path.hasPrefix(NSTemporaryDirectory()) && take.lastPathComponent.contains(#/^sound\d{1,5}\.caf$/#)
        )
        if let file = try? AVAudioFile(forReading: take) {
            let description = file.fileFormat.streamDescription.pointee
            promises.keep(
                "A04",
                "it is Apple Lossless, 44.1 kHz, one channel",
                description.mFormatID == kAudioFormatAppleLossless && description.mSampleRate == 44100
                    && description.mChannelsPerFrame == 1
            )
            promises.keep("A04", "it is as long as the button was down", (44100...110250).contains(file.length))
        } else {
            promises.keep("A04", "it opens", false)
        }

        // Hear it, to the end and cut short.
        screen.playPressed()
        promises.keep("A01", "pressed, the play button turns into Stop", screen.playTitle == "Stop")
        promises.keep("A03", "the session is for playing", AVAudioSession.sharedInstance().category == .playback)
        promises.keep("A07", "play() started", screen.isPlaying)
        promises.keep("A01", "it goes back to Play by itself", wait(upTo: 5) { screen.playTitle == "Play" })
        promises.keep("A08", "the delegate heard once that it finished well", screen.playingsEnded == [true])
        screen.playPressed()
        letTimePass(0.2)
        screen.playPressed()
        promises.keep("A07", "stop() ends playing at once", screen.playTitle == "Play" && !screen.isPlaying)

        // A file that is none.
        let damaged = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent("damaged.caf")
        try? Data((0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 37) }).write(to: damaged)
        screen.play(damaged)
        promises.keep(
            "A08",
            "a damaged file is told, and the button is Play",
            wait(upTo: 2) {
                screen.message?.contains("damaged.caf") == true || screen.message?.hasPrefix("Playing failed") == true
            }
                && screen.playTitle == "Play"
        )
        promises.note("A08", screen.message ?? "")
        try? FileManager.default.removeItem(at: damaged)

        compareQualities()
    }

    /// The same second in each quality: the files grow with it.
    func compareQualities() {
        var sizes: [Int] = []
        for quality in RecordAndPlayScreen.Quality.allCases {
            screen.quality = quality
            screen.recordPressed()
            letTimePass(1.2)
            screen.recordPressed()
            _ = wait(upTo: 2) { screen.recordTitle == "Record" }
            guard let take = screen.soundFile,
                let size = try? FileManager.default.attributesOfItem(atPath: take.path)[.size] as? Int
            else { continue }
            sizes.append(size)
            promises.note("A09", "\(quality): \(size) bytes, \(take.path)")
        }
        promises.keep(
            "A09",
            "better quality made bigger files",
            sizes.count == RecordAndPlayScreen.Quality.allCases.count && sizes == sizes.sorted()
                && Set(sizes).count == 3
        )
    }

    func visitRefused() {
        if let message = screen.message { promises.note("A02", message) }
        screen.recordPressed()
        promises.keep(
            "A02",
            "where microphone and speaker cannot be had, that is told with its reason",
            wait(upTo: 5) { (screen.message ?? "").count > 45 }
        )
        promises.keep("A02", "and recording does not pretend to have started", screen.recordTitle == "Record")
        promises.note("A02", screen.message ?? "")
    }

    func visitCutShort() {
        screen.recordPressed()
        promises.keep("A05", "record() started the recording", screen.isRecording)
        promises.keep(
            "A06",
            "the button goes back when writing fails",
            wait(upTo: 30) { screen.recordTitle == "Record" }
        )
        promises.keep(
            "A06",
            "the failure is told with its description",
            screen.message?.hasPrefix("Recording failed:") == true
        )
        promises.note("A06", screen.message ?? "")
        promises.note("A04", screen.soundFile?.path ?? "")
    }
}
