/// What the first bits of AAC's set-up say (ISO/IEC 14496-3, 1.6.2.1).
struct AudioSpecificConfig {
    var objectType: Int
    /// The core's rate.
    var sampleRate: Double
    /// The rate with spectral band replication, where that is announced up front.
    var extensionSampleRate: Double?
    /// 0 where the stream says it itself.
    var channelCount: Int
    var framesPerPacket: Int

    private static let rates: [Double] = [
        96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350,
    ]

    init?(_ bytes: [UInt8]) {
        var bits = Bits(bytes: bytes)
        guard var type = Self.objectType(&bits), let rate = Self.rate(&bits), let channels = bits.take(4) else {
            return nil
        }
        sampleRate = rate
        if type == 5 || type == 29 {
            guard let extended = Self.rate(&bits), let core = Self.objectType(&bits) else { return nil }
            extensionSampleRate = extended
            type = core
        }
        objectType = type
        channelCount = channels == 7 ? 8 : channels <= 6 ? channels : 0
        framesPerPacket = bits.take(1) == 1 ? 960 : 1024
    }

    /// Kinds of AAC that are decoded as such: Main, LC, LTP.
    var isPlainAAC: Bool { [1, 2, 4].contains(objectType) }

    private static func objectType(_ bits: inout Bits) -> Int? {
        guard let type = bits.take(5) else { return nil }
        return type == 31 ? bits.take(6).map { 32 + $0 } : type
    }

    private static func rate(_ bits: inout Bits) -> Double? {
        guard let index = bits.take(4) else { return nil }
        if index == 15 { return bits.take(24).map(Double.init) }
        return index < rates.count ? rates[index] : nil
    }

    private struct Bits {
        let bytes: [UInt8]
        var position = 0

        mutating func take(_ count: Int) -> Int? {
            guard position + count <= bytes.count * 8 else { return nil }
            var value = 0
            for _ in 0..<count {
                value = value << 1 | Int(bytes[position / 8] >> (7 - UInt8(position % 8)) & 1)
                position += 1
            }
            return value
        }
    }
}
