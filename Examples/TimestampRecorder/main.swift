import ExampleSupport

// A person in front of the screen: chooses a microphone, records, and hears the take.
//
//   KAYIT_AUDIO=simulated swift run TimestampRecorder

let person = Person()
person.visit()
person.promises.finish()
