package import AudioCore

/// A codec in a container, as the recorder can be asked for it: every pair of docs/formats.md.
package struct RecordedPair: Sendable, Hashable, CustomStringConvertible {
    /// What a reader gives back of what was heard.
    package enum Fidelity: Sendable, Hashable {
        /// The samples, to this step.
        case exact(step: Float)
        /// The shape of the sound.
        case alike
    }

    /// What the documents call the codec.
    package var codecName: String
    package var container: ContainerKind
    package var codec: EncodingRequest.Codec
    package var bitDepth = 16
    package var sampleRate = 44_100.0
    package var fidelity: Fidelity
    /// Frames that an encoder may hold at a moment: the packet that is not full, and what it looks ahead by.
    package var heldFrames = 0

    package var description: String { "\(codecName) in \(container.name)" }

    /// The name of a file of it.
    package var fileName: String { "take.\(container.name)" }

    package var encoding: EncodingRequest {
        EncodingRequest(
            codec: codec,
            sampleRate: sampleRate,
            channelCount: 1,
            bitRate: codec == .aac ? 96_000 : nil,
            bitDepth: bitDepth
        )
    }

    /// The pair of a name.
    package static func named(_ name: String) -> RecordedPair? { all.first { $0.description == name } }

    package static let all: [RecordedPair] =
        m4a + caf + wav + aiff + [
            flac(.flac, 16), flac(.flac, 24),
            RecordedPair(
                codecName: "Opus",
                container: .oggOpus,
                codec: .opus,
                sampleRate: 48_000,
                fidelity: .alike,
                heldFrames: 2 * 960
            ),
        ]

    private static let m4a = [aac(.m4a), alac(.m4a, 16), alac(.m4a, 24), flac(.m4a, 16)]

    private static let caf =
        [8, 16, 24, 32].flatMap { pcm(.caf, $0) } + [32, 64].flatMap { pcm(.caf, $0, isFloat: true) }
        + [aac(.caf), alac(.caf, 16), alac(.caf, 24), ima4(.caf)] + g711(.caf)

    private static let wav =
        [8, 16, 24, 32].flatMap { pcm(.wav, $0, endians: [false]) }
        + [32, 64].flatMap { pcm(.wav, $0, isFloat: true, endians: [false]) } + g711(.wav)

    private static let aiff =
        [8, 16, 24, 32].flatMap { pcm(.aiff, $0, endians: [true]) }
        + [8, 16, 24, 32].flatMap { pcm(.aifc, $0, endians: [true]) }
        + [32, 64].flatMap { pcm(.aifc, $0, isFloat: true, endians: [true]) } + pcm(.aifc, 16, endians: [false])
        + [ima4(.aifc)] + g711(.aifc)

    private static func pcm(
        _ container: ContainerKind,
        _ bits: Int,
        isFloat: Bool = false,
        endians: [Bool] = [false, true]
    ) -> [RecordedPair] {
        // One byte has no order.
        (bits == 8 ? [endians[0]] : endians).map { isBigEndian in
            let order = bits == 8 ? "" : isBigEndian ? " big endian" : " little endian"
            let layout = LinearPCMLayout(
                bitsPerSample: bits,
                isFloat: isFloat,
                isBigEndian: isBigEndian,
                isSigned: bits > 8 || container != .wav
            )
            return RecordedPair(
                codecName: "PCM \(bits)\(isFloat ? " float" : "")\(order)",
                container: container,
                codec: .linearPCM(layout),
                fidelity: .exact(step: bits == 8 ? 1 / 128 : 1 / 32_768)
            )
        }
    }

    private static func aac(_ container: ContainerKind) -> RecordedPair {
        // The open packet, the one that it looks ahead by, and the one that overlaps the next.
        RecordedPair(codecName: "AAC", container: container, codec: .aac, fidelity: .alike, heldFrames: 3 * 1024)
    }

    private static func alac(_ container: ContainerKind, _ bits: Int) -> RecordedPair {
        RecordedPair(
            codecName: "ALAC \(bits)",
            container: container,
            codec: .alac,
            bitDepth: bits,
            fidelity: .exact(step: 1 / 32_768),
            heldFrames: 4096
        )
    }

    private static func flac(_ container: ContainerKind, _ bits: Int) -> RecordedPair {
        RecordedPair(
            codecName: "FLAC \(bits)",
            container: container,
            codec: .flac,
            bitDepth: bits,
            fidelity: .exact(step: 1 / 32_768),
            heldFrames: 4608
        )
    }

    private static func ima4(_ container: ContainerKind) -> RecordedPair {
        RecordedPair(codecName: "IMA4", container: container, codec: .ima4, fidelity: .alike, heldFrames: 64)
    }

    private static func g711(_ container: ContainerKind) -> [RecordedPair] {
        [("µ-law", EncodingRequest.Codec.muLaw), ("A-law", .aLaw)].map {
            RecordedPair(codecName: $0, container: container, codec: $1, fidelity: .alike)
        }
    }
}
