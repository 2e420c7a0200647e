import TestSupport

/// The moment at which a recorder in virtual time is killed.
enum VirtualMoment: Sendable {
    /// From outside, so many seconds of the machine after the recording began.
    case recording(Double)
    /// From outside, so many seconds after the start of the program, which is to replace an older file.
    case starting(Double)
    /// In the place of the file call of this number.
    case call(Int)
    /// Paused after so many frames, from outside, so many seconds later.
    case paused(Int, Double)
    /// Asked to stop after so many frames, from outside, so many seconds later.
    case stopping(Int, Double)
    /// Asked to stop after so many frames, in the place of the file call of this number from there.
    case stoppingCall(Int, Int)

    init(using random: inout SeededGenerator) {
        let frames = Int.random(in: 500...200_000, using: &random)
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<6: self = .recording(.random(in: 0...0.5, using: &random))
        case 6..<8: self = .starting(.random(in: 0...0.25, using: &random))
        // Most of them in the first moments, where every call is another.
        case 8..<11: self = .call(.random(in: 1...24, using: &random))
        case 11..<13: self = .call(.random(in: 25...400, using: &random))
        case 13..<15: self = .paused(frames, .random(in: 0...0.05, using: &random))
        case 15..<17: self = .stopping(frames, .random(in: 0...0.02, using: &random))
        default: self = .stoppingCall(frames, .random(in: 1...16, using: &random))
        }
    }

    /// What the victim is told of it.
    var order: [String] {
        switch self {
        case .recording, .starting: []
        case .call(let call): ["die=\(call)"]
        case .paused(let frames, _): ["pause=\(frames)"]
        case .stopping(let frames, _): ["stop=\(frames)"]
        case .stoppingCall(let frames, let call): ["stop=\(frames)", "arm=\(frames)", "die=\(call)"]
        }
    }
}
