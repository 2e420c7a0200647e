import AVFAudio
import AudioCore
import Testing

/// A codec in a container, as it is written.
struct Pair: Sendable, CustomTestStringConvertible {
    var container: ContainerKind
    var format: AudioFormatID
    /// What the document calls the codec.
    var codec: String
    /// The keys that choose this codec among others of the same format.
    var settings: [String: any Sendable] = [:]
    /// Significant bits of an integer sample; 0 for floating point and for lossy codecs.
    var bits = 0
    /// Decibels of the signal above the error that the codec keeps at least; nil for lossless ones.
    var floor: Double?
    var rates = [44_100.0, 8_000]
    /// Delay, remainder and tables as the container states them.
    var stated: String
    /// The file type of a container that the settings of recorders offer no such codec for: written by the engine beneath.
    var request: EncodingRequest.Codec?

    var testDescription: String { "\(codec) in \(container.name)" }

    /// Rates, channels and awkward counts of frames.
    var takes: [Take] {
        let long = rates.enumerated().map { index, rate in
            Take(self, rate: rate, channels: 1 + index % 2, frames: index == 0 ? 44_123 : 11_003)
        }
        return long + [
            Take(self, rate: rates[0], channels: 1, frames: 3), Take(self, rate: rates[1], channels: 2, frames: 0),
        ]
    }
}

// MARK: What is written

extension Pair {
    static let all: [Pair] =
        m4a + caf + wav + aiff + [
            lossless(.flac, kAudioFormatFLAC, "FLAC 16", 16, "count in STREAMINFO"),
            lossless(.flac, kAudioFormatFLAC, "FLAC 24", 24, "count in STREAMINFO"),
            Pair(
                container: .oggOpus,
                format: kAudioFormatOpus,
                codec: "Opus",
                floor: 15,
                rates: [48_000, 24_000, 16_000, 12_000, 8_000],
                stated: "pre-skip; end by the last granule position"
            ),
        ]

    private static let m4a: [Pair] = [
        Pair(
            container: .m4a,
            format: kAudioFormatMPEG4AAC,
            codec: "AAC",
            floor: 20,
            rates: [44_100, 12_000],
            stated: edits
        ),
        lossless(.m4a, kAudioFormatAppleLossless, "ALAC 16", 16, edits),
        lossless(.m4a, kAudioFormatAppleLossless, "ALAC 24", 24, edits),
        Pair(
            container: .m4a,
            format: kAudioFormatFLAC,
            codec: "FLAC 16",
            bits: 16,
            stated: edits,
            request: .flac
        ),
    ]

    private static let caf: [Pair] =
        pcm(.caf, "count by the size", bits: [8, 16, 24, 32], floats: [32, 64], endians: [false, true]) + [
            Pair(
                container: .caf,
                format: kAudioFormatMPEG4AAC,
                codec: "AAC",
                floor: 20,
                rates: [44_100, 12_000],
                stated: pakt
            ),
            lossless(.caf, kAudioFormatAppleLossless, "ALAC 16", 16, pakt),
            lossless(.caf, kAudioFormatAppleLossless, "ALAC 24", 24, pakt),
            Pair(container: .caf, format: kAudioFormatAppleIMA4, codec: "IMA4", floor: 15, stated: pakt),
        ] + g711(.caf, "count by the size")

    private static let wav: [Pair] =
        pcm(.wav, "count by the size", bits: [8, 16, 24, 32], floats: [32, 64], endians: [false])
        + g711(.wav, "`fact`")

    private static let aiff: [Pair] =
        pcm(.aiff, "count in `COMM`", bits: [8, 16, 24, 32], floats: [], endians: [true])
        + pcm(.aifc, "count in `COMM`", bits: [8, 16, 24, 32], floats: [32, 64], endians: [true])
        + pcm(.aifc, "count in `COMM`", bits: [16], floats: [], endians: [false])
        + [
            Pair(
                container: .aifc,
                format: kAudioFormatAppleIMA4,
                codec: "IMA4",
                floor: 15,
                stated: "packets in `COMM`; the exact count in a chunk of ours"
            )
        ] + g711(.aifc, "count in `COMM`")

    private static let edits = "edit list, `iTunSMPB`, roll group"
    private static let pakt = "`pakt`: valid, priming, remainder"

    private static func lossless(
        _ container: ContainerKind,
        _ format: AudioFormatID,
        _ codec: String,
        _ bits: Int,
        _ stated: String
    ) -> Pair {
        Pair(
            container: container,
            format: format,
            codec: codec,
            settings: [AVEncoderBitDepthHintKey: bits],
            bits: bits,
            stated: stated
        )
    }

    private static func pcm(
        _ container: ContainerKind,
        _ stated: String,
        bits: [Int],
        floats: [Int],
        endians: [Bool]
    ) -> [Pair] {
        let kinds = bits.map { ($0, false) } + floats.map { ($0, true) }
        return kinds.flatMap { bits, isFloat in
            // One byte has no order.
            (bits == 8 ? [endians[0]] : endians).map { isBigEndian in
                let order = bits == 8 ? "" : isBigEndian ? " big endian" : " little endian"
                return Pair(
                    container: container,
                    format: kAudioFormatLinearPCM,
                    codec: "PCM \(bits)\(isFloat ? " float" : "")\(order)",
                    settings: [
                        AVLinearPCMBitDepthKey: bits, AVLinearPCMIsFloatKey: isFloat,
                        AVLinearPCMIsBigEndianKey: isBigEndian,
                    ],
                    bits: isFloat ? 0 : bits,
                    stated: stated
                )
            }
        }
    }

    private static func g711(_ container: ContainerKind, _ stated: String) -> [Pair] {
        [(kAudioFormatULaw, "µ-law"), (kAudioFormatALaw, "A-law")].map {
            Pair(container: container, format: $0, codec: $1, floor: 30, rates: [8_000, 44_100], stated: stated)
        }
    }
}
