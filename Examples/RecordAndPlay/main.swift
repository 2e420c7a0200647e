import ExampleSupport

// A person in front of the screen: presses the buttons and looks at what they say.
//
//   KAYIT_AUDIO=simulated swift run RecordAndPlay            the whole visit
//   KAYIT_AUDIO=simulated swift run RecordAndPlay refused    what it says where the session cannot be had
//   KAYIT_AUDIO=simulated swift run RecordAndPlay cut-short  what it says when writing fails in the middle

let person = Person()
person.screen.viewDidLoad()

switch CommandLine.arguments.dropFirst().first {
case "refused": person.visitRefused()
case "cut-short": person.visitCutShort()
default: person.visit()
}
person.promises.finish()
