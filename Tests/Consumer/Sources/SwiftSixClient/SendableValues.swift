import AVFoundation

// What crosses actors in Apple's frameworks crosses them here.

func requireSendable<T: Sendable>(_: T.Type) {}

func values() {
    requireSendable(CMTime.self)
    requireSendable(CMTimeRange.self)
    requireSendable(AVAudioQuality.self)
    requireSendable(AVAudioRecorder.self)
    requireSendable(AVAudioSession.Category.self)
    requireSendable(AVAudioSession.CategoryOptions.self)
    requireSendable(AudioStreamBasicDescription.self)
}

/// `import AVFoundation` alone gives Foundation, CoreMedia, AudioToolbox and CoreAudio.
func umbrella() -> [String] {
    [
        URL(fileURLWithPath: "/tmp").path, "\(CMTime.zero)", "\(kAudioFormatMPEG4AAC)", "\(kAudioFileCAFType)",
        "\(AudioGetCurrentHostTime())", AVFileType.caf.rawValue,
    ]
}
