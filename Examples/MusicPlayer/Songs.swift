import Foundation

/// Three songs of a tone each, as WAV files; the first has a title and an artist.
struct Songs {
    static let seconds = [2.0, 1.5, 6.0]
    let urls: [URL]

    init(in folder: URL) throws {
        let folder = folder.appendingPathComponent("Songs-\(ProcessInfo.processInfo.processIdentifier)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let texts = [[("INAM", "Morning"), ("IART", "The Larks")], [], []]
        urls = try zip(["one.wav", "Evening Rain.wav", "three.wav"], zip(Self.seconds, texts)).map { name, song in
            let url = folder.appendingPathComponent(name)
            try Self.wave(seconds: song.0, song.1).write(to: url)
            return url
        }
    }

    /// Mono, 16 bits, 44.1 kHz: a tone at half of full scale, and a list of texts behind it.
    private static func wave(seconds: Double, _ texts: [(id: String, text: String)]) -> Data {
        let samples = (0..<Int(seconds * 44_100)).map { frame in
            Int16(16_384 * sin(2 * Double.pi * 440 * Double(frame) / 44_100))
        }
        func bytes<Number: FixedWidthInteger>(_ number: Number) -> Data {
            withUnsafeBytes(of: number.littleEndian) { Data($0) }
        }
        func chunk(_ id: String, _ content: Data) -> Data {
            Data(id.utf8) + bytes(UInt32(content.count)) + content + Data(count: content.count % 2)
        }
        let format = bytes(UInt16(1)) + bytes(UInt16(1)) + bytes(UInt32(44_100)) + bytes(UInt32(88_200))
        let data = samples.withUnsafeBytes { Data($0) }
        var content = Data("WAVE".utf8) + chunk("fmt ", format + bytes(UInt16(2)) + bytes(UInt16(16)))
        content += chunk("data", data)
        if !texts.isEmpty {
            content += chunk("LIST", texts.reduce(Data("INFO".utf8)) { $0 + chunk($1.id, Data($1.text.utf8) + [0]) })
        }
        return chunk("RIFF", content)
    }
}
