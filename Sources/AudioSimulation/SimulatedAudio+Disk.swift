import AudioCore
import Foundation

extension SimulatedAudio {
    /// What is wrong with the disk on which recorders write.
    public enum DiskFault: Sendable, Hashable {
        /// There is room for this many bytes more, 0 or more, over all files; then `ENOSPC`.
        case full(afterBytes: Int64)
        /// Calls that change files fail with this errno, such as `EIO`, `EROFS` or `EDQUOT`: from the call of this number on,
        /// counted from 1 and from now, and this many of them; nil for all that follow.
        case failing(errno: Int32, fromCall: Int = 1, times: Int? = nil)
        /// Every call that changes a file takes this much longer, by the machine's clock.
        case slow(by: Duration)
        /// Calls that change files do not return for this long, by the clock of the devices; nil until another fault is
        /// set, or none.
        case stalled(for: Duration?)
    }

    /// Puts a fault in the place of the one before, or takes it away with nil; what stood still goes on. Holds for
    /// recorders that are made after `install()`, also for recordings that run. Files that are only read are not concerned.
    ///
    /// ```swift
    /// audio.setDisk(.full(afterBytes: 1_000_000))
    /// recorder.record()
    /// audio.advance(by: .seconds(60))
    /// // The delegate has heard of an error, and the file holds what had room.
    /// ```
    public func setDisk(_ fault: DiskFault?) {
        disk.restorePower()
        disk.setRoom(nil)
        switch fault {
        case nil: disk.set(nil)
        case .full(let bytes):
            disk.set(nil)
            disk.setRoom(max(bytes, 0))
        case .failing(let errno, let call, let times):
            disk.set(FileFault(.fail(errno), first: max(call, 1), times: times.map { max($0, 0) }))
        case .slow(let duration): disk.set(FileFault(.slow(max(duration, .zero))))
        case .stalled(nil): disk.set(FileFault(.stall))
        case .stalled(let duration?):
            let clock = host.clock
            let end = clock.now + max(duration, .zero)
            disk.set(FileFault(.stallWhile { clock.now < end }))
        }
    }

    /// Lets the power of the machine fail, as far as files are concerned.
    ///
    /// Files that are open for writing go back to what had reached the disk for certain; of what was written since, some
    /// writes are there and some are not, also later ones without earlier ones. Every further call that changes
    /// something fails with `EIO` until `setDisk(_:)` is called, so that a recorder adds nothing. Names and folders stay as they are.
    /// - Parameter seed: decides which writes are there. The same seed gives the same choice.
    public func cutPower(seed: UInt64 = 1) { disk.cutPower(seed: seed) }
}
