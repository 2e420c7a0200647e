import AVFoundation
import RecordingKit

/// A screen that plays songs, less the drawing: play and pause, title and artist, progress, levels, the song before and the
/// next one.
@MainActor
final class MusicPlayerScreen: NSObject {
    private(set) var playButtonTitle = "Play"
    private(set) var title = ""
    private(set) var artist = ""
    /// 0 … 1.
    private(set) var progress: Float = 0
    /// One bar for each channel, 0 … 1.
    private(set) var levels: [Float] = []
    private(set) var elapsed = "0:00"
    /// What went wrong last; nil when nothing did.
    private(set) var failure: String?
    /// How often the picture was drawn.
    private(set) var pictures = 0
    private(set) var current = 0

    private let songs: [URL]
    /// One for each song, so that the next one is ready.
    private var players: [AVAudioPlayer] = []
    private var timer: Timer?

    init(_ songs: [URL]) {
        self.songs = songs
        super.init()
    }

    func viewDidLoad() {
        do {
            try AVAudioSession.sharedInstance().setCategory(.playback)
            try AVAudioSession.sharedInstance().setActive(true)
            players = try songs.map { try AVAudioPlayer(contentsOf: $0) }
        } catch {
            failure = error.localizedDescription
        }
        for player in players {
            player.delegate = self
            player.isMeteringEnabled = true
        }
        players.first?.prepareToPlay()
        show()
    }

    // MARK: Buttons

    func playTapped() {
        guard let player else { return }
        if player.isPlaying {
            player.pause()
            playingEnded()
        } else {
            play()
        }
    }

    func nextTapped() { change(to: current + 1) }

    /// Behind its first three seconds a song begins again.
    func previousTapped() {
        if let player, player.currentTime > 3 { player.currentTime = 0 } else { change(to: current - 1) }
    }

    /// A finger moves the progress.
    func slide(to part: Float) {
        guard let player else { return }
        player.currentTime = Double(part) * player.duration
        draw()
    }

    // MARK: Playing

    private var player: AVAudioPlayer? { players.indices.contains(current) ? players[current] : nil }

    private func play() {
        guard let player, player.play() else {
            playButtonTitle = "Play"
            return
        }
        playButtonTitle = "Pause"
        timer?.invalidate()
        timer = Timer.scheduledTimer(withTimeInterval: 0.05, repeats: true) { [weak self] _ in
            MainActor.assumeIsolated { self?.draw() }
        }
    }

    private func change(to song: Int) {
        guard players.indices.contains(song) else { return }
        let wasPlaying = player?.isPlaying == true
        player?.stop()
        player?.currentTime = 0
        current = song
        show()
        if wasPlaying { play() }
    }

    private func songEnded() {
        if current + 1 < players.count {
            current += 1
            show()
            play()
        } else {
            playingEnded()
        }
    }

    private func playingEnded() {
        timer?.invalidate()
        timer = nil
        playButtonTitle = "Play"
        levels = levels.map { _ in 0 }
        draw()
    }

    // MARK: Drawing

    private func show() {
        guard songs.indices.contains(current) else { return }
        let song = songs[current]
        let tags = (try? RecordingReport(contentsOf: song))?.tags ?? []
        title = tags.first { $0.name == "title" }?.value ?? song.deletingPathExtension().lastPathComponent
        artist = tags.first { $0.name == "artist" }?.value ?? "Unknown artist"
        // The next one begins without a wait.
        if players.indices.contains(current + 1) { players[current + 1].prepareToPlay() }
        draw()
    }

    private func draw() {
        guard let player else { return }
        pictures += 1
        progress = player.duration > 0 ? Float(player.currentTime / player.duration) : 0
        let seconds = Int(player.currentTime)
        elapsed = "\(seconds / 60):" + (seconds % 60 < 10 ? "0" : "") + "\(seconds % 60)"
        player.updateMeters()
        // From -60 dB to full scale.
        levels = (0..<player.numberOfChannels).map { max(0, 1 + player.averagePower(forChannel: $0) / 60) }
    }
}

extension MusicPlayerScreen: AVAudioPlayerDelegate {
    nonisolated func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {
        Task { @MainActor in songEnded() }
    }

    nonisolated func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?) {
        Task { @MainActor in failure = error?.localizedDescription ?? "The song cannot be played." }
    }
}
