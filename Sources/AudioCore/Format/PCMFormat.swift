/// How one sample is held in memory, in the machine's byte order.
///
/// Integers are full scale: a source of fewer bits lies at the top, with zeros below (a 24-bit sample in `int32` is the
/// sample × 256).
package enum SampleType: String, Sendable, Hashable, CaseIterable {
    case int16, int32, float32, float64

    package var byteCount: Int {
        switch self {
        case .int16: 2
        case .int32, .float32: 4
        case .float64: 8
        }
    }
}

/// Interleaved samples in memory: what devices and codecs exchange.
package struct PCMFormat: Sendable, Hashable {
    package var sampleType: SampleType
    /// Frames per second, above zero.
    package var sampleRate: Double
    /// Channels in a frame, 1 or more.
    package var channelCount: Int

    package init(sampleType: SampleType = .float32, sampleRate: Double, channelCount: Int) {
        self.sampleType = sampleType
        self.sampleRate = sampleRate
        self.channelCount = channelCount
    }

    package var bytesPerFrame: Int { sampleType.byteCount * channelCount }
}

/// How one linear PCM sample is stored in a file.
package struct LinearPCMLayout: Sendable, Hashable {
    /// 8, 16, 24 or 32 for integers; 32 or 64 for floating point.
    package var bitsPerSample: Int
    package var isFloat: Bool
    package var isBigEndian: Bool
    /// False only for the unsigned bytes of WAV.
    package var isSigned: Bool

    package init(bitsPerSample: Int, isFloat: Bool = false, isBigEndian: Bool, isSigned: Bool = true) {
        self.bitsPerSample = bitsPerSample
        self.isFloat = isFloat
        self.isBigEndian = isBigEndian
        self.isSigned = isSigned
    }

    package var bytesPerSample: Int { (bitsPerSample + 7) / 8 }

    /// The smallest sample type in memory that holds this layout without loss.
    package var naturalSampleType: SampleType {
        if isFloat { return bitsPerSample == 64 ? .float64 : .float32 }
        return bitsPerSample <= 16 ? .int16 : .int32
    }
}
