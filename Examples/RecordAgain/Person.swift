import AVFoundation
import ExampleSupport

/// Presses the buttons of the screen and looks at what it says.
@MainActor
struct Person {
    let promises = Promises()
    let screen = RecordAgainScreen()

    func visit() {
        promises.keep(
            "B02",
            "the session is for playing and recording",
            AVAudioSession.sharedInstance().category == .playAndRecord
        )
        promises.keep("B02", "nothing was thrown", screen.failure == nil)
        promises.keep(
            "B01",
            "the answer about the microphone does not come before the call returns",
            screen.isAllowed == nil
        )
        promises.keep("B01", "nothing can be played before there is a take", !screen.playButton.isEnabled)
        promises.keep("B01", "it comes, and is yes", wait(upTo: 5) { screen.isAllowed == true })
        promises.keep(
            "B01",
            "the record button says so",
            screen.recordButton.title == "Record" && screen.recordButton.isEnabled
        )

        record(for: 1.2)
        promises.keep("B04", "after the first take it offers another", screen.recordButton.title == "Record again")
        promises.keep("B01", "the take can be played", screen.playButton.isEnabled)
        promises.note("B03", screen.path.path)
        let first = checkTake("the first take", seconds: 1.1...2.5)

        record(for: 2.2)
        let second = checkTake("the second take", seconds: 2.1...3.5)
        promises.keep("B04", "the second take replaced the first", first < second)
        promises.keep(
            "B04",
            "the delegate heard of both",
            wait(upTo: 2) { screen.recordingsEnded == [true, true] }
        )

        screen.playTapped()
        promises.keep("B06", "playing disables recording", !screen.recordButton.isEnabled)
        screen.recordTapped()
        promises.keep("B06", "a tap on it does nothing", screen.recordButton.title == "Record again")
        promises.keep("B06", "until playing ends by itself", wait(upTo: 6) { screen.recordButton.isEnabled })
        screen.playTapped()
        letTimePass(0.3)
        screen.playTapped()
        promises.keep("B06", "stop() ends playing and enables recording", screen.recordButton.isEnabled)

        // A start that cannot succeed: the folder is not there.
        screen.startRecording(to: URL(fileURLWithPath: "/nowhere at all/recording.m4a"))
        promises.keep(
            "B04",
            "a failed start says so, with its reason",
            wait(upTo: 2) { screen.failure?.contains("nowhere") == true }
        )
        promises.keep(
            "B04",
            "and cleans up: the button is Record, the take can be played",
            screen.recordButton.title == "Record" && screen.playButton.isEnabled
        )
        promises.note("B04", screen.failure ?? "")
        promises.keep(
            "B04",
            "and the take that was there is as it was",
            checkTake("the take", seconds: 2.1...3.5) == second
        )
    }

    func record(for seconds: TimeInterval) {
        screen.recordTapped()
        promises.keep("B04", "recording, the button is Stop", screen.recordButton.title == "Stop")
        promises.keep("B01", "recording, nothing can be played", !screen.playButton.isEnabled)
        letTimePass(seconds)
        screen.recordTapped()
    }

    /// Looks at the take in the documents folder and returns its frames.
    func checkTake(_ name: String, seconds: ClosedRange<Double>) -> Int64 {
        guard let file = try? AVAudioFile(forReading: screen.path) else {
            promises.keep("B03", "\(name) opens", false)
            return 0
        }
        let description = file.fileFormat.streamDescription.pointee
        promises.keep(
            "B03",
            "\(name) is AAC, 12 kHz, one channel",
            description.mFormatID == kAudioFormatMPEG4AAC && description.mSampleRate == 12000
                && description.mChannelsPerFrame == 1
        )
        promises.keep("B03", "\(name) has its length", seconds.contains(Double(file.length) / 12000))
        return file.length
    }

    func visitRefused() {
        promises.keep(
            "B02",
            "a refusal is thrown or answered, never passed over",
            wait(upTo: 5) { screen.failure != nil || screen.isAllowed == false }
        )
        promises.note("B02", screen.failure ?? "permission refused")
        promises.keep(
            "B01",
            "the record button stays off",
            screen.recordButton.title == "No microphone" && !screen.recordButton.isEnabled
        )
        screen.recordTapped()
        promises.keep("B01", "a tap on it does nothing", screen.recordButton.title == "No microphone")
    }

    func visitEnded() {
        promises.keep("B01", "the microphone may be used", wait(upTo: 5) { screen.isAllowed == true })
        screen.recordTapped()
        promises.keep("B04", "recording, the button is Stop", screen.recordButton.title == "Stop")
        promises.keep(
            "B05",
            "the end by the system is told as not successful",
            wait(upTo: 20) { screen.recordingsEnded == [false] }
        )
        promises.keep(
            "B05",
            "the button is Record again, not Stop",
            screen.recordButton.title == "Record" && screen.recordButton.isEnabled
        )
        promises.keep("B05", "what was recorded until then can be played", screen.playButton.isEnabled)
        promises.note("B05", screen.path.path)
        letTimePass(0.3)
        promises.keep("B05", "and it was told once", screen.recordingsEnded == [false])
    }
}
