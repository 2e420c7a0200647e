/// When Bluetooth devices may be used. Source: the comments on the options in Apple's AVAudioSessionTypes.h.
extension SessionPolicy {
    /// A Bluetooth microphone only where an option asks for it.
    package static func allowsBluetoothInput(_ configuration: SessionConfiguration) -> Bool {
        rule(for: configuration.category).mayRecord
            && !effectiveOptions(of: configuration).isDisjoint(with: [
                .allowBluetoothHFP, .bluetoothHighQualityRecording,
            ])
    }

    /// Categories that only play may always use it, those that also record where an option asks for it.
    package static func allowsBluetoothOutput(_ configuration: SessionConfiguration) -> Bool {
        let rule = rule(for: configuration.category)
        if !rule.mayPlay { return false }
        return !rule.mayRecord
            || !effectiveOptions(of: configuration).isDisjoint(with: [
                .allowBluetoothHFP, .allowBluetoothA2DP, .bluetoothHighQualityRecording,
            ])
    }
}
