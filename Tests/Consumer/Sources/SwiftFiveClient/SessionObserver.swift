import AVFoundation

/// Watches interruptions and routes the way that Apple's guide of 2012 and its many descendants do.
final class SessionObserver {
    private var tokens: [NSObjectProtocol] = []
    var onPause: () -> Void = {}
    var onResume: () -> Void = {}

    init(center: NotificationCenter = .default) {
        tokens.append(
            center.addObserver(
                forName: AVAudioSession.interruptionNotification,
                object: AVAudioSession.sharedInstance(),
                queue: .main
            ) { [weak self] note in self?.handleInterruption(note) }
        )
        tokens.append(
            center.addObserver(forName: AVAudioSession.routeChangeNotification, object: nil, queue: nil) {
                [weak self] in
                self?.handleRouteChange($0)
            }
        )
        tokens.append(
            center.addObserver(forName: AVAudioSession.mediaServicesWereResetNotification, object: nil, queue: nil) {
                _ in
            }
        )
    }

    deinit { tokens.forEach(NotificationCenter.default.removeObserver) }

    func handleInterruption(_ notification: Notification) {
        guard let userInfo = notification.userInfo,
            let typeValue = userInfo[AVAudioSessionInterruptionTypeKey] as? UInt,
            let type = AVAudioSession.InterruptionType(rawValue: typeValue)
        else { return }
        switch type {
        case .began:
            onPause()
        case .ended:
            guard let optionsValue = userInfo[AVAudioSessionInterruptionOptionKey] as? UInt else { return }
            let options = AVAudioSession.InterruptionOptions(rawValue: optionsValue)
            if options.contains(.shouldResume) { onResume() }
        @unknown default:
            break
        }
    }

    func handleRouteChange(_ notification: Notification) {
        guard let userInfo = notification.userInfo,
            let reasonValue = userInfo[AVAudioSessionRouteChangeReasonKey] as? UInt,
            let reason = AVAudioSession.RouteChangeReason(rawValue: reasonValue)
        else { return }
        switch reason {
        case .newDeviceAvailable:
            let session = AVAudioSession.sharedInstance()
            if session.currentRoute.outputs.contains(where: { $0.portType == .headphones }) { onResume() }
        case .oldDeviceUnavailable:
            if let previous = userInfo[AVAudioSessionRouteChangePreviousRouteKey] as? AVAudioSessionRouteDescription {
                for output in previous.outputs where output.portType == AVAudioSession.Port.headphones { onPause() }
            }
        case .categoryChange, .override, .wakeFromSleep, .noSuitableRouteForCategory, .routeConfigurationChange,
            .unknown:
            break
        @unknown default:
            break
        }
    }
}

/// The session by every spelling of its calls.
enum SessionCalls {
    static func configure() throws {
        let session = AVAudioSession.sharedInstance()
        try session.setCategory(.playback)
        try session.setCategory(.playAndRecord, options: .defaultToSpeaker)
        try session.setCategory(AVAudioSession.Category.record, mode: AVAudioSession.Mode.measurement)
        try session.setCategory(
            .playAndRecord,
            mode: .spokenAudio,
            options: [.mixWithOthers, .duckOthers, .allowAirPlay]
        )
        try session.setMode(.voiceChat)
        try session.setActive(true, options: [])
        try session.setActive(false, options: .notifyOthersOnDeactivation)
        try session.setPreferredSampleRate(44_100)
        try session.setPreferredIOBufferDuration(0.005)
        try session.overrideOutputAudioPort(.speaker)
        try session.overrideOutputAudioPort(AVAudioSession.PortOverride.none)
    }

    static func report() -> [String] {
        let session = AVAudioSession.sharedInstance()
        var lines = ["\(session.category.rawValue) \(session.mode.rawValue) \(session.categoryOptions.rawValue)"]
        lines.append("\(session.sampleRate) \(session.inputNumberOfChannels) \(session.outputNumberOfChannels)")
        lines.append("\(session.inputLatency) \(session.outputLatency) \(session.ioBufferDuration)")
        for port in session.currentRoute.inputs + session.currentRoute.outputs {
            lines.append("\(port.portName) \(port.portType.rawValue) \(port.uid) \(port.channels?.count ?? 0)")
        }
        let available = session.availableInputs ?? []
        if let builtIn = available.first(where: { $0.portType == .builtInMic }) {
            try? session.setPreferredInput(builtIn)
        }
        lines.append("\(session.isInputAvailable) \(session.outputVolume)")
        return lines
    }

    static func permission() -> String {
        switch AVAudioSession.sharedInstance().recordPermission {
        case .granted: return "granted"
        case .denied: return "denied"
        case .undetermined: return "undetermined"
        @unknown default: return "?"
        }
    }
}
