import AudioCore

/// What the first bytes of an Opus packet say (RFC 6716, 3).
enum OpusPacket {
    /// Ogg counts Opus at 48 kHz, whatever the recording had.
    static let rate = 48_000.0

    /// No packet is longer than 120 ms.
    static let longest = 5_760

    /// No decoder takes it (code 3 with no frames): stands for packets that are missing.
    static let lost: [UInt8] = [0x03, 0x00]

    /// Frames at 48 kHz; 0 for what is no Opus packet.
    static func frames(_ packet: [UInt8]) -> Int {
        guard let first = packet.first else { return 0 }
        let configuration = Int(first >> 3)
        let each: Int
        switch configuration {
        // Silk: 10, 20, 40, 60 ms; hybrid: 10, 20 ms; CELT: 2.5, 5, 10, 20 ms.
        case 0..<12: each = [480, 960, 1_920, 2_880][configuration & 3]
        case 12..<16: each = [480, 960][configuration & 1]
        default: each = 120 << (configuration & 3)
        }
        let count: Int
        switch first & 3 {
        case 0: count = 1
        case 1, 2: count = 2
        default: count = packet.count > 1 ? Int(packet[1] & 0x3F) : 0
        }
        return each * count <= longest ? each * count : 0
    }
}
