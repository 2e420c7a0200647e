import AudioCore

/// Finds out when an encoder that is given silence says the same again and again.
struct SteadySilence {
    /// What the encoder gave last.
    private(set) var packet: EncodedPacket?
    private var repetitions = 0

    /// Far more packets than any encoder looks ahead by, or remembers.
    private static let enough = 16

    /// True once `packet` stands for silence in all that follows.
    var isSteady: Bool { repetitions >= Self.enough }

    mutating func note(_ next: EncodedPacket) {
        let isSame = packet.map { $0.frames == next.frames && $0.bytes == next.bytes } ?? false
        repetitions = isSame ? repetitions + 1 : 0
        packet = next
    }
}
