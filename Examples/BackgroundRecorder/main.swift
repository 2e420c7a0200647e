import AVFoundation
import AudioSimulation
import ExampleSupport

// A person who records a lecture: a call comes, the screen goes dark, an assistant answers, the battery runs low, and at the
// deadline it stops by itself. The day passes in simulated time.
//
//   swift run BackgroundRecorder              the whole visit
//   swift run BackgroundRecorder refused      what it does without leave to use the microphone

let audio = SimulatedAudio(.init(time: .stepped))
audio.install()
let person = Person(audio: audio)
if CommandLine.arguments.dropFirst().first == "refused" {
    audio.setPermissionGranted(false)
    person.screen.viewDidLoad()
    person.visitRefused()
} else {
    person.screen.viewDidLoad()
    person.visit()
}
person.promises.finish()
