import Foundation
import RecordingKit

/// What happens to a running recording, as lines for people and for scripts.
struct RecordNotice: Encodable {
    var event: String
    /// Where the recording stood, in seconds.
    var seconds: Double
    /// The microphone that is gone, or that is heard from now on.
    var device: String?
    var previousDevice: String?
    /// Counted from 1.
    var channel: Int?
    /// For how long the disk has room.
    var secondsLeft: Double?

    /// Where the recording is from now on.
    var path: String?
    var reason: String?
    /// 0 … 1; left out where it is not known.
    var battery: Double?
    var lowPower: Bool?

    /// What people read.
    private(set) var text = ""

    private enum CodingKeys: String, CodingKey {
        case event, seconds, device, previousDevice, channel, secondsLeft, path, reason, battery, lowPower
    }

    /// Nil for markers, gaps and the joining of parts, which have lines of their own.
    /// - Parameter seconds: where the recording stands.
    init?(_ event: RecordingEvent, seconds: Double) {
        self.seconds = seconds
        switch event {
        case .microphoneLost(let gone):
            self.event = "microphone-lost"
            device = gone?.name
            text = "The microphone\(Self.quoted(gone)) is gone. The recording goes on with silence until there is one."
        case .microphoneChanged(let before, let now):
            self.event = "microphone-changed"
            device = now.name
            previousDevice = before?.name
            text =
                before?.id == now.id
                ? "The microphone '\(now.name)' is back." : "Recording from '\(now.name)'\(Self.instead(before))."
        case .microphoneAsleep(let isAsleep):
            self.event = isAsleep ? "microphone-asleep" : "microphone-awake"
            text = isAsleep ? "The sound server has put the microphone to sleep." : "The microphone is awake again."
        case .microphoneStalled(let isStalled):
            self.event = isStalled ? "microphone-stalled" : "microphone-flowing"
            text = isStalled ? "Nothing comes from the microphone." : "Sound comes from the microphone again."
        case .silent(let isSilent):
            self.event = isSilent ? "silent" : "sound"
            text = isSilent ? "Only silence comes from the microphone: is it muted?" : "There is sound again."
        case .channelDead(let index, let isDead):
            self.event = isDead ? "channel-dead" : "channel-alive"
            channel = index + 1
            text = "Channel \(index + 1) of the microphone is \(isDead ? "dead" : "alive again")."
        case .machineAsleep(let isAsleep):
            self.event = isAsleep ? "machine-asleep" : "machine-awake"
            text = isAsleep ? "The machine goes to sleep." : "The machine is awake again."
        case .diskLow(let seconds):
            self.event = "disk-low"
            secondsLeft = seconds
            text = "The disk has room for \(TimeText.short(seconds)) more."
        case .diskStalled:
            self.event = "disk-stalled"
            text = "The disk does not answer. What is heard waits in memory."
        case .diskAnswers:
            self.event = "disk-answers"
            text = "The disk answers again."
        case .fileMoved(let url):
            self.event = "file-moved"
            path = url.path
            text = "The file was moved while it is recorded: it is now '\(url.path)'."
        case .continued(let url, let error):
            self.event = "continued"
            path = url.path
            reason = error.message
            text = "\(error.message) The recording goes on in '\(url.path)'."
        case .power(let power):
            self.event = "power"
            battery = power.batteryLevel
            lowPower = power.isLowPowerMode
            reason = "\(power.warning)"
            text = Self.describing(power)
        case .memoryPressure(let pressure):
            self.event = "memory-pressure"
            reason = "\(pressure)"
            text = pressure == .normal ? "Memory is no longer short." : "The machine's memory is short."
        case .deadlineReached:
            self.event = "deadline"
            text = "The time is up."
        case .gap, .marker, .joining, .joined, .joinFailed:
            return nil
        }
    }

    private static func describing(_ power: SystemStatus.Power) -> String {
        let level = power.batteryLevel.map { " (\(Int(($0 * 100).rounded())) %)" } ?? ""
        return switch power.warning {
        case .critical: "The battery is nearly empty\(level): what was heard is on the disk."
        case .low: "The battery is low\(level)."
        case .none: power.isLowPowerMode ? "Power is to be saved\(level)." : "There is enough power again\(level)."
        }
    }

    private static func quoted(_ device: AudioDevice?) -> String { device.map { " '\($0.name)'" } ?? "" }

    private static func instead(_ device: AudioDevice?) -> String {
        device.map { " instead of '\($0.name)'" } ?? ""
    }
}
