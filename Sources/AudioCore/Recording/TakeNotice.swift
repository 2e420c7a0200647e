/// What happens to a recording while it runs, beside its end and its failures.
package enum TakeNotice: Sendable, Equatable {
    /// The microphone or the sound server is gone, and the recording waits for another.
    case microphoneLost(DeviceDescription?)
    /// The recording goes on with another microphone, or with the same one after it was away.
    case microphoneChanged(from: DeviceDescription?, to: DeviceDescription)
    /// The sound server has put the microphone to sleep (true) or woken it (false).
    case microphoneAsleep(Bool)
    /// The machine is about to sleep (true) or awake again (false). What it slept through becomes a gap.
    case machineAsleep(Bool)
    /// Nothing comes although the microphone says that it runs (true), or sound comes again (false).
    case microphoneStalled(Bool)
    /// What is heard has lost its sound, in all channels or in one, or has it again.
    case signal(SignalChange)
    /// Frames were not captured and are silence in the file.
    case gap(RecordingGap)
    /// The disk has room for this many seconds more, at the present size of a second: told at ten minutes and at one.
    case diskLow(secondsLeft: Double)
    /// The disk has not answered for a second: what is heard waits in memory.
    case diskStalled
    /// It answers again.
    case diskAnswers
    /// A place in the recording was named.
    case marker(MediaMetadata.Marker)
    /// A recording in parts is complete, and so many of its parts are joined.
    case joining(parts: Int, of: Int)
    /// The parts are one file now.
    case joined(path: String, frames: FrameCount)
    /// The parts could not be joined. They lie in `folder`, complete.
    case joinFailed(AudioFailure, folder: String)
    /// The file, or a folder above it, was renamed while it is recorded: it is now here.
    case fileMoved(to: String)
    /// The battery became low or critical, or recovered; or power is to be saved, or no longer. What was heard is on the disk.
    case power(PowerState)
    /// The machine's memory became short, or is no longer. What was heard is on the disk.
    case memoryPressure(MemoryPressure)
    /// The recording ends now because its deadline has come.
    case deadlineReached
    /// The file before could not be written further, for this reason; the recording goes on in the file at this path.
    case continued(in: String, because: AudioFailure)
}
