public import AVFAudio
import AudioCore
import AudioRuntime
import Foundation

/// What happens to a recording while it runs, beside its end and its failures, of which the delegate hears.
public enum RecordingEvent: Sendable, Hashable {
    /// The microphone or the sound server is gone, and the recording waits for another: nothing is heard meanwhile. The
    /// microphone that is gone, where it is known.
    case microphoneLost(AudioDevice?)
    /// The recording goes on with another microphone, or with the same one after it was away.
    case microphoneChanged(from: AudioDevice?, to: AudioDevice)
    /// The sound server has put the microphone to sleep (true) or woken it (false).
    case microphoneAsleep(Bool)
    /// The machine is about to sleep (true) or awake again (false). What was recorded is on the disk before; what it slept
    /// through becomes a gap. Told where the system says it (logind).
    case machineAsleep(Bool)
    /// Nothing has come for a second although the microphone says that it runs (true), or sound comes again (false). After
    /// five seconds it counts as gone. Told within a second and a half.
    case microphoneStalled(Bool)
    /// The microphone has given exact zeros for three seconds (true), as a muted one does and a room never, or sound is back
    /// (false). Told once for each stretch.
    case silent(Bool)
    /// One of the microphone's channels, counted from 0, has been dead for three seconds while another lives (true), or
    /// lives again (false).
    case channelDead(Int, Bool)
    /// What was not captured is silence in the file. Told when the gap is over.
    case gap(RecordingGap)
    /// The disk has room for this many seconds more, at the present size of a second of sound. Told when ten minutes and
    /// when one minute are left, at once where there is less from the start; see also `AVAudioRecorder.secondsLeft`.
    case diskLow(secondsLeft: Double)
    /// The disk has not answered for a second. What is heard waits in memory: about a minute of it as it was heard, and
    /// 64 MiB encoded.
    case diskStalled
    /// The disk answers again; what waited is written.
    case diskAnswers
    /// A place in the recording was named by `addMarker(_:)`.
    case marker(RecordingMarker)
    /// A recording in parts is complete, and so many of its parts are copied into the one file that they become.
    case joining(parts: Int, of: Int)
    /// The parts are one file now, which lies here.
    case joined(URL, frames: Int64)
    /// The parts could not be joined, for this reason. They are all there, in the folder; ``PartedRecording`` joins them.
    case joinFailed(RecordingError, folder: URL)
    /// The file, or a folder above it, was renamed while it is recorded. Nothing is lost: it is now here.
    case fileMoved(to: URL)
    /// The battery became low or critical, or is no longer; or power is to be saved, or no longer. What was heard is on the disk
    /// by then, and the recording goes on.
    case power(SystemStatus.Power)
    /// The machine's memory became short, or is no longer. What was heard is on the disk by then, and the recording goes on.
    case memoryPressure(SystemStatus.MemoryPressure)
    /// The recording ends now by itself: `RecordingOptions.deadline` has come.
    case deadlineReached
    /// The disk did not take any more of the file so far, for this reason, and the recording goes on in this file, in one of
    /// `RecordingOptions.rescueFolders`. The file before is finished where its disk could take that.
    case continued(in: URL, because: RecordingError)

    init(_ notice: TakeNotice) {
        self =
            switch notice {
            case .microphoneLost(let device): .microphoneLost(device.map(AudioDevice.init))
            case .microphoneChanged(let before, let after):
                .microphoneChanged(from: before.map(AudioDevice.init), to: AudioDevice(after))
            case .microphoneAsleep(let isAsleep): .microphoneAsleep(isAsleep)
            case .machineAsleep(let isAsleep): .machineAsleep(isAsleep)
            case .microphoneStalled(let isStalled): .microphoneStalled(isStalled)
            case .signal(.silent(let isSilent)): .silent(isSilent)
            case .signal(.dead(let channel, let isDead)): .channelDead(channel, isDead)
            case .gap(let gap): .gap(RecordingGap(gap))
            case .diskLow(let seconds): .diskLow(secondsLeft: seconds)
            case .diskStalled: .diskStalled
            case .diskAnswers: .diskAnswers
            case .marker(let marker): .marker(RecordingMarker(marker))
            case .joining(let parts, let count): .joining(parts: parts, of: count)
            case .joined(let path, let frames): .joined(URL(fileURLWithPath: path), frames: frames.value)
            case .joinFailed(let failure, let folder):
                .joinFailed(RecordingError(failure), folder: URL(fileURLWithPath: folder, isDirectory: true))
            case .fileMoved(let path): .fileMoved(to: URL(fileURLWithPath: path))
            case .power(let power): .power(SystemStatus.Power(power))
            case .memoryPressure(let pressure): .memoryPressure(SystemStatus.MemoryPressure(pressure))
            case .deadlineReached: .deadlineReached
            case .continued(let path, let failure):
                .continued(in: URL(fileURLWithPath: path), because: RecordingError(failure))
            }
    }
}

extension AVAudioRecorder {
    /// How much faster than the machine's clock the microphone runs, in parts per million; nil when stopped, in the first ten
    /// seconds after it was opened, and where the device layer does not tell. Sound cards are within ±100. Any thread.
    public var microphoneClockDrift: Double? { engine?.clockDrift }

    /// What happens to the recordings of this recorder from now on. Ends with the recorder; each call gives a stream of its
    /// own. Of what nobody has read yet the newest thousand are kept. Any thread.
    public var events: AsyncStream<RecordingEvent> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1000)) { continuation in
            guard let observers = engine?.observers else { return continuation.finish() }
            let number = observers.add { notice in
                if let notice { continuation.yield(RecordingEvent(notice)) } else { continuation.finish() }
            }
            continuation.onTermination = { [weak observers] _ in observers?.remove(number) }
        }
    }
}
