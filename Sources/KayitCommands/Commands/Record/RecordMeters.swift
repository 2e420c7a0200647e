import AVFoundation

/// The levels of a recording, as they are shown, and whether there was any sound at all.
@MainActor
struct RecordMeters {
    private(set) var channels: [ChannelMeter]
    /// The highest peak so far; nil before the first look at a recorder that hears.
    private var loudest: Float?

    init(channelCount: Int) { channels = Array(repeating: ChannelMeter(), count: channelCount) }

    /// Nothing above -90 dB was heard, which no room is as quiet as.
    var heardOnlySilence: Bool { loudest.map { $0 <= -90 } ?? false }

    mutating func measure(_ recorder: AVAudioRecorder) {
        let hears = recorder.isRecording && recorder.currentTime > 0
        recorder.updateMeters()
        let now = ProcessInfo.processInfo.systemUptime
        for channel in channels.indices {
            let peak = recorder.peakPower(forChannel: channel)
            channels[channel].update(average: recorder.averagePower(forChannel: channel), peak: peak, at: now)
            if hears { loudest = max(loudest ?? peak, peak) }
        }
    }
}
