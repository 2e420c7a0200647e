import AVFoundation
import ExampleSupport

/// Presses the buttons of the screen and looks at what it says.
@MainActor
struct Person {
    let promises = Promises()
    let screen = TimestampRecorderScreen()

    func visit() {
        chooseInput()
        let before = Date.timeIntervalSinceReferenceDate * 1000
        screen.startStopPressed()
        promises.keep("D04", "pressed, the button says Stop Recording", screen.startStopTitle == "Stop Recording")
        promises.keep("D04", "the session is for recording", AVAudioSession.sharedInstance().category == .record)
        letTimePass(1.5)
        screen.startStopPressed()
        let after = Date.timeIntervalSinceReferenceDate * 1000
        promises.keep(
            "D04",
            "pressed again it stops, and the session is given up",
            screen.startStopTitle == "Start Recording"
        )
        promises.keep("D04", "nothing failed", screen.failure == nil)
        promises.note("D04", screen.failure ?? screen.file?.path ?? "no file")
        checkTake(namedBetween: before, and: after)

        screen.playPressed()
        promises.keep("D05", "the session is for playing", AVAudioSession.sharedInstance().category == .playback)
        promises.keep("D05", "the recording plays", screen.isPlaying && screen.failure == nil)
        promises.keep("D05", "to its end", wait(upTo: 6) { !screen.isPlaying })
    }

    func chooseInput() {
        let inputs = screen.inputs
        promises.keep("D05", "the inputs can be listed", !inputs.isEmpty)
        for input in inputs { promises.note("D05", "\(input.portName) (\(input.portType.rawValue))") }
        if let input = inputs.first {
            screen.choose(input)
            promises.keep("D05", "and one of them chosen", screen.failure == nil)
        }
    }

    func checkTake(namedBetween before: Double, and after: Double) {
        guard let take = screen.file else {
            promises.keep("D04", "there is a take", false)
            return
        }
        let name = Double(take.deletingPathExtension().lastPathComponent) ?? 0
        promises.keep(
            "D04",
            "it is a .caf named by the time in milliseconds",
            take.pathExtension == "caf" && (before - 1...after).contains(name)
        )
        guard let file = try? AVAudioFile(forReading: take) else {
            promises.keep("D04", "it opens", false)
            return
        }
        let description = file.fileFormat.streamDescription.pointee
        promises.keep(
            "D04",
            "it is IMA4, 44.1 kHz, two channels",
            description.mFormatID == kAudioFormatAppleIMA4 && description.mSampleRate == 44100
                && description.mChannelsPerFrame == 2
        )
        promises.keep("D04", "it is as long as was recorded", (61740...132300).contains(file.length))
    }
}
