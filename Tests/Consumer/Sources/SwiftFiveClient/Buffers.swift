// swift-format-ignore-file: NeverForceUnwrap
// As apps write it.

import AVFoundation

enum Buffers {
    /// Level of a buffer, channel by channel.
    static func rms(_ buffer: AVAudioPCMBuffer) -> [Float] {
        guard let channels = buffer.floatChannelData else { return [] }
        return (0..<Int(buffer.format.channelCount)).map { channel in
            let samples = UnsafeBufferPointer(start: channels[channel], count: Int(buffer.frameLength))
            let sum = samples.reduce(0) { $0 + $1 * $1 }
            return sqrt(sum / Float(max(1, samples.count)))
        }
    }

    static func sine(frequency: Double, seconds: Double, format: AVAudioFormat) -> AVAudioPCMBuffer? {
        let frames = AVAudioFrameCount(seconds * format.sampleRate)
        guard let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: frames) else { return nil }
        buffer.frameLength = frames
        for channel in 0..<Int(format.channelCount) {
            for frame in 0..<Int(frames) {
                buffer.floatChannelData![channel][frame] = Float(
                    sin(2 * .pi * frequency * Double(frame) / format.sampleRate)
                )
            }
        }
        return buffer
    }

    static func copy(_ source: URL, to target: URL) throws {
        let input = try AVAudioFile(forReading: source)
        let output = try AVAudioFile(
            forWriting: target,
            settings: input.fileFormat.settings,
            commonFormat: .pcmFormatFloat32,
            interleaved: false
        )
        let buffer = AVAudioPCMBuffer(pcmFormat: input.processingFormat, frameCapacity: 4096)!
        while input.framePosition < input.length {
            try input.read(into: buffer)
            if buffer.frameLength == 0 { break }
            try output.write(from: buffer)
        }
        let position: AVAudioFramePosition = 0
        input.framePosition = position
        try input.read(into: buffer, frameCount: 1024)
    }

    static func formats() -> [AVAudioFormat?] {
        var description = AudioStreamBasicDescription(
            mSampleRate: 44100,
            mFormatID: kAudioFormatLinearPCM,
            mFormatFlags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked,
            mBytesPerPacket: 2,
            mFramesPerPacket: 1,
            mBytesPerFrame: 2,
            mChannelsPerFrame: 1,
            mBitsPerChannel: 16,
            mReserved: 0
        )
        return [
            AVAudioFormat(standardFormatWithSampleRate: 48000, channels: 2),
            AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 16000, channels: 1, interleaved: true),
            AVAudioFormat(streamDescription: &description),
        ]
    }
}
