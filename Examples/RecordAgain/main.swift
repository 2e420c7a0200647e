import AVFoundation
import ExampleSupport

// A person in front of the screen: answers, taps the buttons and looks at what they say.
//
//   KAYIT_AUDIO=simulated swift run RecordAgain              the whole visit
//   KAYIT_AUDIO=simulated swift run RecordAgain refused      what it says where there is no microphone to be had
//   KAYIT_AUDIO=simulated swift run RecordAgain ended        what it does when the system ends the recording

let person = Person()
// An iOS app finds its documents folder there; here it may be the first program that asks.
try? FileManager.default.createDirectory(
    at: person.screen.path.deletingLastPathComponent(),
    withIntermediateDirectories: true
)
person.screen.viewDidLoad()

switch CommandLine.arguments.dropFirst().first {
case "refused": person.visitRefused()
case "ended": person.visitEnded()
default: person.visit()
}
person.promises.finish()
