import Foundation

/// What the program of a scenario plays: a second of a tone, which is repeated.
enum ScenarioTone {
    static let file: Data = {
        let rate = 16_000
        let samples = (0..<rate).map { frame in Int16(8000 * sin(2 * .pi * 440 * Double(frame) / Double(rate))) }
        var data = Data()
        func add(_ text: String) { data.append(contentsOf: text.utf8) }
        func add32(_ value: Int) { withUnsafeBytes(of: UInt32(value).littleEndian) { data.append(contentsOf: $0) } }
        func add16(_ value: Int) { withUnsafeBytes(of: UInt16(value).littleEndian) { data.append(contentsOf: $0) } }
        add("RIFF")
        add32(36 + samples.count * 2)
        add("WAVEfmt ")
        add32(16)
        add16(1)
        add16(1)
        add32(rate)
        add32(rate * 2)
        add16(2)
        add16(16)
        add("data")
        add32(samples.count * 2)
        for sample in samples { withUnsafeBytes(of: sample.littleEndian) { data.append(contentsOf: $0) } }
        return data
    }()
}
