import AudioCore
import Foundation

/// Reads values out of a settings dictionary, whatever numeric type a program used for them.
struct SettingsReader {
    let settings: [String: Any]

    /// The number at `key`; nil where there is none.
    /// - Throws: `invalidArgument` naming the key, where something else than a number is there.
    func number(_ key: String) throws(AudioFailure) -> Double? {
        guard let value = settings[key] else { return nil }
        guard let number = Self.number(value) else {
            throw AudioFailure(.invalidArgument, "\(key) must be a number, not '\(value)' (\(type(of: value))).")
        }
        return number
    }

    /// The whole number at `key`, within the range of a 32-bit integer; nil where there is none.
    func integer(_ key: String) throws(AudioFailure) -> Int? {
        guard let number = try number(key) else { return nil }
        guard let integer = Int(exactly: number), abs(integer) <= Int(UInt32.max) else {
            throw AudioFailure(.invalidArgument, "\(key) must be a whole number, not \(number).")
        }
        return integer
    }

    /// The truth value at `key`: Booleans, and numbers as in C.
    func flag(_ key: String) throws(AudioFailure) -> Bool? { try number(key).map { $0 != 0 } }

    /// The layout at `AVChannelLayoutKey`; nil where there is none.
    func channelLayout() throws(AudioFailure) -> AVAudioChannelLayout? {
        guard let value = settings[AVChannelLayoutKey] else { return nil }
        guard let data = value as? Data, let layout = AVAudioChannelLayout(data: data) else {
            throw AudioFailure(.invalidArgument, "AVChannelLayoutKey must be Data with an AudioChannelLayout.")
        }
        return layout
    }

    private static func number(_ value: Any) -> Double? {
        switch value {
        case let value as Bool: value ? 1 : 0
        case let value as NSNumber: value.doubleValue
        case let value as any BinaryInteger: Double(value)
        case let value as any BinaryFloatingPoint: Double(value)
        // `AVAudioQuality.high` in the place of its raw value.
        case let value as any RawRepresentable: number(value.rawValue)
        default: nil
        }
    }
}
