import AVFoundation
import ExampleSupport

/// Presses the buttons of the screen and looks at what it shows.
@MainActor
struct Person {
    let promises = Promises()
    let screen: MusicPlayerScreen

    init(_ screen: MusicPlayerScreen) { self.screen = screen }

    func visit() {
        promises.keep("E03", "nothing went wrong", screen.failure == nil)
        promises.keep("E03", "title and artist are shown", screen.title == "Morning" && screen.artist == "The Larks")
        promises.keep("E03", "nothing plays by itself", screen.playButtonTitle == "Play" && screen.progress == 0)

        screen.playTapped()
        promises.keep("E03", "playing, the button is Pause", screen.playButtonTitle == "Pause")
        promises.keep("E03", "the progress grows", wait(upTo: 10) { screen.progress > 0.2 })
        // A sine at half of full scale: -9 dB.
        promises.keep(
            "E03",
            "the level is that of the song",
            screen.levels.count == 1 && wait(upTo: 5) { abs(screen.levels[0] - 0.85) < 0.03 }
        )
        screen.playTapped()
        let place = screen.progress
        letTimePass(0.4)
        screen.slide(to: place)
        promises.keep("E03", "paused, it stays where it is", abs(screen.progress - place) < 0.02 && place < 1)
        promises.keep("E03", "and the button is Play", screen.playButtonTitle == "Play")
        let pictures = screen.pictures
        letTimePass(0.3)
        promises.keep("E03", "paused, nothing is drawn", screen.pictures == pictures)

        screen.playTapped()
        promises.keep(
            "E03",
            "the next song follows by itself, with its name for a title",
            wait(upTo: 10) { screen.title == "Evening Rain" } && screen.artist == "Unknown artist"
        )
        promises.keep("E03", "and plays", screen.playButtonTitle == "Pause" && wait(upTo: 5) { screen.progress > 0.1 })
        screen.nextTapped()
        promises.keep("E03", "next is the third song", screen.title == "three")
        screen.nextTapped()
        promises.keep("E03", "behind which there is none", screen.title == "three")
        screen.slide(to: 0.7)
        promises.keep("E03", "a finger moves the progress", screen.progress > 0.6 && screen.elapsed == "0:04")
        screen.previousTapped()
        promises.keep("E03", "back goes to the beginning first", screen.title == "three" && screen.current == 2)
        screen.previousTapped()
        promises.keep("E03", "and then to the song before", screen.title == "Evening Rain" && screen.current == 1)
        screen.nextTapped()
        screen.slide(to: 0.9)
        promises.keep(
            "E03",
            "behind the last song it is silent",
            wait(upTo: 10) { screen.playButtonTitle == "Play" } && screen.levels == [0]
        )
        promises.keep("E03", "and nothing went wrong", screen.failure == nil)
    }

    func visitSilent() {
        screen.playTapped()
        promises.keep("E03", "what cannot be played is told", wait(upTo: 10) { screen.failure != nil })
        promises.keep("E03", "and the button stays Play", screen.playButtonTitle == "Play")
        promises.note("E03", screen.failure ?? "")
    }
}
