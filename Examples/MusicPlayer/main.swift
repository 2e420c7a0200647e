import AVFoundation
import ExampleSupport

// A person who listens to three songs: one with a title and an artist, two that have only their names.
//
//   KAYIT_AUDIO=simulated swift run MusicPlayer              the whole visit
//   KAYIT_AUDIO=simulated swift run MusicPlayer silent       what it says where there is no speaker to be had

do {
    let songs = try Songs(in: FileManager.default.temporaryDirectory)
    let person = Person(MusicPlayerScreen(songs.urls))
    person.screen.viewDidLoad()
    if CommandLine.arguments.dropFirst().first == "silent" { person.visitSilent() } else { person.visit() }
    person.promises.finish()
} catch {
    print("The songs cannot be written: \(error.localizedDescription)")
    exit(1)
}
