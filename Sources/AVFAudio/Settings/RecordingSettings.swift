package import AudioCore
import AudioToolbox
internal import Foundation

/// What a settings dictionary asks for: a container and an encoder, checked against each other.
///
/// Defaults, where a key is missing: the format that the container usually holds, 44 100 Hz, one channel, 16 bits, high
/// quality. Apple documents none of them; one channel is what a microphone has.
package struct RecordingSettings: Sendable {
    package var container: ContainerKind
    package var encoding: EncodingRequest

    static let defaultSampleRate = 44_100.0

    /// - Parameters:
    ///   - settings: the keys of AVAudioSettings; every numeric type is taken, unknown keys are passed over.
    ///   - url: where the file will lie; its extension decides the container where no `AVAudioFileTypeKey` does.
    /// - Throws: `invalidArgument` or `unsupported`, naming the key and what is allowed.
    package init(_ settings: [String: Any], url: URL) throws(AudioFailure) {
        let reader = SettingsReader(settings: settings)
        container = try Self.container(reader, url: url)
        let format = try Self.format(reader, container: container)
        let rate = try reader.number(AVSampleRateKey) ?? Self.defaultSampleRate
        guard rate.isFinite, rate > 0 else {
            throw AudioFailure(.invalidArgument, "AVSampleRateKey must be above 0, not \(rate).", argument: .sampleRate)
        }
        let layout = try reader.channelLayout()
        let channels = try reader.integer(AVNumberOfChannelsKey) ?? layout.map { Int($0.channelCount) } ?? 1
        guard channels > 0 else {
            throw AudioFailure(
                .invalidArgument,
                "AVNumberOfChannelsKey must be 1 or more, not \(channels).",
                argument: .channelCount
            )
        }
        if let layout, Int(layout.channelCount) != channels {
            throw AudioFailure(
                .invalidArgument,
                "AVChannelLayoutKey has \(layout.channelCount) channels, AVNumberOfChannelsKey \(channels): they must agree.",
                argument: .channelCount
            )
        }
        encoding = EncodingRequest(
            codec: try Self.codec(format, reader, container: container),
            sampleRate: rate,
            channelCount: channels,
            bitRate: try Self.bitRate(reader, channels: channels),
            quality: try Self.quality(reader),
            bitDepth: try reader.integer(AVEncoderBitDepthHintKey) ?? 16
        )
    }

    /// What the encoder makes of it.
    /// - Throws: where the encoder cannot do it; the message names the key.
    package func stream(with media: MediaRegistry) throws(AudioFailure) -> StreamDescription {
        do throws(AudioFailure) {
            return try media.makeEncoder(encoding).stream
        } catch {
            var failure = error
            if let argument = error.argument { failure.message = "\(key(of: argument)): \(error.message)" }
            throw failure
        }
    }

    private func key(of argument: AudioFailure.Argument) -> String {
        switch argument {
        case .sampleRate: return "AVSampleRateKey"
        case .channelCount: return "AVNumberOfChannelsKey"
        case .bitRate: return "AVEncoderBitRateKey"
        case .bitDepth:
            if case .linearPCM = encoding.codec { return "AVLinearPCMBitDepthKey" }
            return "AVEncoderBitDepthHintKey"
        }
    }

    private static func container(_ reader: SettingsReader, url: URL) throws(AudioFailure) -> ContainerKind {
        if let type = try reader.integer(AVAudioFileTypeKey) {
            let code = UInt32(truncatingIfNeeded: type)
            if let container = ContainerRules.container(fileType: code) { return container }
            throw AudioFailure(
                .unsupported,
                "AVAudioFileTypeKey: files of the type '\(ContainerRules.fourCharacters(code))' are not written; "
                    + "allowed are M4A, CAF, WAVE, AIFF, AIFC and FLAC."
            )
        }
        if let container = ContainerKind(fileExtension: url.pathExtension) { return container }
        throw AudioFailure(
            .unsupported,
            "The name '\(url.lastPathComponent)' does not tell the kind of file. Use an extension of m4a, mp4, caf, wav, "
                + "aif, aiff, aifc, flac, opus, or set AVAudioFileTypeKey.",
            path: url.path
        )
    }

    private static func format(_ reader: SettingsReader, container: ContainerKind) throws(AudioFailure) -> AudioFormatID
    {
        let (allowed, usual) = ContainerRules.formats(of: container)
        guard let asked = try reader.integer(AVFormatIDKey) else { return usual }
        let format = AudioFormatID(truncatingIfNeeded: asked)
        guard allowed.contains(format) else {
            let names = allowed.map(ContainerRules.name).joined(separator: ", ")
            throw AudioFailure(
                .unsupported,
                "AVFormatIDKey: \(ContainerRules.name(format)) does not go into a \(container.name) file; allowed are \(names)."
            )
        }
        return format
    }

    private static func codec(_ format: AudioFormatID, _ reader: SettingsReader, container: ContainerKind)
        throws(AudioFailure) -> EncodingRequest.Codec
    {
        switch format {
        case kAudioFormatMPEG4AAC: .aac
        case kAudioFormatAppleLossless: .alac
        case kAudioFormatAppleIMA4: .ima4
        case kAudioFormatULaw: .muLaw
        case kAudioFormatALaw: .aLaw
        case kAudioFormatFLAC: .flac
        case kAudioFormatOpus: .opus
        default: .linearPCM(try layout(reader, container: container))
        }
    }

    private static func layout(_ reader: SettingsReader, container: ContainerKind) throws(AudioFailure)
        -> LinearPCMLayout
    {
        let isFloat = try reader.flag(AVLinearPCMIsFloatKey) ?? false
        let bits = try reader.integer(AVLinearPCMBitDepthKey) ?? (isFloat ? 32 : 16)
        let allowed = isFloat ? [32, 64] : [8, 16, 24, 32]
        guard allowed.contains(bits) else {
            let list = allowed.map(String.init).joined(separator: ", ")
            throw AudioFailure(
                .invalidArgument,
                "AVLinearPCMBitDepthKey: \(isFloat ? "floating-point" : "integer") samples of \(bits) bits are not made; "
                    + "allowed are \(list).",
                argument: .bitDepth
            )
        }
        if isFloat, container == .aiff {
            throw AudioFailure(
                .unsupported,
                "AVLinearPCMIsFloatKey: AIFF holds integers only. Use the extension aifc for floating point."
            )
        }
        let asked = try reader.flag(AVLinearPCMIsBigEndianKey)
        let isBigEndian = asked ?? (container == .aiff || container == .aifc)
        if isBigEndian, container == .wav {
            throw AudioFailure(.unsupported, "AVLinearPCMIsBigEndianKey: WAV is little endian; allowed is false.")
        }
        if !isBigEndian, bits > 8, container == .aiff {
            throw AudioFailure(
                .unsupported,
                "AVLinearPCMIsBigEndianKey: AIFF is big endian; allowed is true. Use the extension aifc for little endian."
            )
        }
        // The bytes of WAV are the one unsigned layout in use.
        let isSigned = container != .wav || bits > 8 || isFloat
        return LinearPCMLayout(bitsPerSample: bits, isFloat: isFloat, isBigEndian: isBigEndian, isSigned: isSigned)
    }

    private static func bitRate(_ reader: SettingsReader, channels: Int) throws(AudioFailure) -> Int? {
        if let total = try reader.integer(AVEncoderBitRateKey) { return total }
        guard let each = try reader.integer(AVEncoderBitRatePerChannelKey) else { return nil }
        let (total, overflow) = each.multipliedReportingOverflow(by: channels)
        return overflow ? Int.max : total
    }

    private static func quality(_ reader: SettingsReader) throws(AudioFailure) -> Double {
        let range = AVAudioQuality.min.rawValue...AVAudioQuality.max.rawValue
        let fixed = try reader.integer(AVEncoderAudioQualityKey)
        let variable = try reader.integer(AVEncoderAudioQualityForVBRKey)
        let value = fixed ?? variable ?? AVAudioQuality.high.rawValue
        guard range.contains(value) else {
            throw AudioFailure(
                .invalidArgument,
                "AVEncoderAudioQualityKey must be the raw value of an AVAudioQuality, \(range.lowerBound) to "
                    + "\(range.upperBound), not \(value)."
            )
        }
        return Double(value) / Double(range.upperBound)
    }
}
