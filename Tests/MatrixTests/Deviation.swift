import AVFAudio
import AudioCore

/// Where another program is known to read a file of ours otherwise than it says.
struct Deviation: Sendable {
    var reading: Reading
    /// What the document says of it.
    var reason: String

    static func refused(_ reason: String = "not read") -> Deviation { Deviation(reading: .refused, reason: reason) }

    /// - Parameter delay: nil for another sound.
    static func frames(_ extra: Int, late delay: Int? = 0, _ reason: String) -> Deviation {
        Deviation(reading: .read(extra: extra, delay: delay), reason: reason)
    }
}

extension Reader {
    /// What the program is known to make of a file.
    func expected(_ pair: Pair, _ take: Take) -> Reading { deviation(pair, take)?.reading ?? .exact }

    /// Nil where it reads what was written.
    func deviation(_ pair: Pair, _ take: Take) -> Deviation? {
        switch self {
        case .ffmpeg: Self.ffmpeg(pair, take)
        case .sox: Self.sox(pair, take)
        case .libsndfile: Self.libsndfile(pair, take)
        case .gstreamer: Self.gstreamer(pair, take)
        case .reference: nil
        }
    }

    /// libavformat 59 cuts the start of an edit list only, and nothing by the packet table of a CAF.
    private static func ffmpeg(_ pair: Pair, _ take: Take) -> Deviation? {
        let isSilent = take.frames == 0
        switch (pair.container, pair.format) {
        case (.caf, kAudioFormatMPEG4AAC):
            let late = take.isAudible ? 1024 : 0
            return .frames(1024 + take.padding(1024, priming: 1024), late: late, "1024 late, and the padding is heard")
        case (.m4a, kAudioFormatMPEG4AAC) where !isSilent:
            return .frames(take.padding(1024, priming: 1024), "the padding at the end is heard")
        case (.caf, kAudioFormatAppleLossless) where isSilent: return .refused("no empty files")
        case (.caf, kAudioFormatAppleIMA4) where !isSilent, (.aifc, kAudioFormatAppleIMA4) where !isSilent:
            return .frames(take.padding(64), "padded to 64")
        default: return nil
        }
    }

    private static func sox(_ pair: Pair, _ take: Take) -> Deviation? {
        switch (pair.container, pair.format) {
        case (.m4a, _), (.oggOpus, _), (.caf, kAudioFormatMPEG4AAC), (.caf, kAudioFormatAppleLossless),
            (.caf, kAudioFormatAppleIMA4),
            (.aifc, kAudioFormatAppleIMA4), (.aifc, kAudioFormatULaw), (.aifc, kAudioFormatALaw):
            return .refused()
        // Its AIFC has integers of 8 and 16 bits alone.
        case (.aifc, _) where pair.bits > 16: return .refused()
        case (.aiff, _) where take.frames == 0, (.aifc, _) where take.frames == 0: return .refused("no empty files")
        case (.caf, kAudioFormatLinearPCM) where pair.bits == 0 && take.frames > 0:
            return .frames(0, late: nil, "another sound: floating point is taken for integers")
        default: return nil
        }
    }

    private static func libsndfile(_ pair: Pair, _ take: Take) -> Deviation? {
        switch (pair.container, pair.format) {
        case (.m4a, _), (.caf, kAudioFormatMPEG4AAC), (.caf, kAudioFormatAppleIMA4): .refused()
        case (.aifc, kAudioFormatAppleIMA4) where take.frames > 0: .frames(take.padding(64), "padded to 64")
        case (.oggOpus, _) where take.frames == 0: .refused("no empty files")
        case (_, kAudioFormatLinearPCM) where take.frames == 0 && pair.bits == 0: .refused("no empty files")
        default: nil
        }
    }

    private static func gstreamer(_ pair: Pair, _ take: Take) -> Deviation? {
        switch (pair.container, pair.format) {
        case (.caf, _), (.aifc, kAudioFormatAppleIMA4), (.aifc, kAudioFormatULaw), (.aifc, kAudioFormatALaw):
            return .refused()
        case (.aifc, _) where pair.bits > 16: return .refused()
        case (.m4a, kAudioFormatMPEG4AAC) where take.frames > 0:
            // Times are nanoseconds: at 44.1 kHz the cut of the start falls short of a frame.
            let rest = take.rate == 44_100 ? 1 : 0
            let kept = take.frames / 1024 * 1024 + rest
            let reason = "the last packet is lost\(rest == 1 ? "; at 44.1 kHz 1 late" : "")"
            return .frames(kept - take.frames, late: take.isAudible ? rest : 0, reason)
        case (.oggOpus, _) where take.frames > 0 && !take.isAudible: return .frames(1, "1 more in a file of 3")
        case (.aiff, _) where pair.bits == 8 && take.isOdd(pair), (.aifc, _) where pair.bits == 8 && take.isOdd(pair):
            return .frames(1, "an odd number of bytes: their padding is heard")
        case (.wav, _) where take.isOdd(pair):
            return .frames(
                -take.frames,
                late: take.isAudible ? nil : 0,
                "an odd number of bytes: nothing is heard"
            )
        default: return nil
        }
    }
}

extension Take {
    /// Long enough to be found by its sound.
    var isAudible: Bool { frames > 4_400 }

    /// Frames that fill up the last packet.
    func padding(_ packet: Int, priming: Int = 0) -> Int { (packet - (frames + priming) % packet) % packet }

    /// Whether the audio is an odd number of bytes, which gets a byte of padding.
    func isOdd(_ pair: Pair) -> Bool {
        let width = [kAudioFormatULaw, kAudioFormatALaw].contains(pair.format) ? 8 : pair.bits
        return frames * channels * width / 8 % 2 == 1
    }
}
