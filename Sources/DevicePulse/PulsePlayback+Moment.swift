import AudioCore
import CPulse

/// The silence that a stream plays before the moment at which its source is to be heard. Under the loop lock.
final class PulseLead {
    /// In nanoseconds of the machine's clock.
    let moment: Int64
    /// Where the row begins that it belongs to.
    var origin: Int64
    /// Silent frames before the first of the source; nil while their number is not known.
    private(set) var silence: Int?
    var look: PulseLook?
    /// The frame of the stream that is heard at the moment, as far as it is known.
    private(set) var found: Int64?
    private var isCounted = false
    /// Looks since `found` changed.
    private var agreeing = 0
    private var timer: PulseTimer?

    /// How often the places of the streams are looked at, in microseconds.
    private static let interval: UInt64 = 5_000

    /// - Parameter tick: called again and again until the lead is let go.
    init(_ moment: HostTime, on loop: PulseLoop, tick: @escaping () -> Void) {
        self.moment = moment.nanoseconds
        origin = moment.nanoseconds
        timer = PulseTimer(on: loop, every: Self.interval, tick)
    }

    /// Nanoseconds until the moment; negative once it has passed.
    var timeLeft: Int64 { moment - Int64(clamping: MachineTime.microseconds) * 1_000 }

    func settle(_ silence: Int) { self.silence = silence }

    /// The device changed: what was known of it does not hold any more.
    func forget() {
        silence = nil
        found = nil
    }

    /// Counted against another stream, the frame is exact; said twice, no block fell in between unseen.
    func foundByCount(_ frame: Int64) -> Bool {
        agreeing = isCounted && found == frame ? agreeing + 1 : 0
        isCounted = true
        found = frame
        return agreeing >= 1
    }

    /// By the clock, an answer may be late and none comes too early: the earliest counts, once several have not been earlier.
    func foundByClock(_ frame: Int64, within agreement: Int64) -> Bool {
        let before = isCounted ? nil : found
        agreeing = before.map { frame <= $0 + agreement } == true ? agreeing + 1 : 0
        isCounted = false
        found = max(before ?? frame, frame)
        return agreeing >= 3
    }

    /// Silent frames have been written; true when those were the last.
    func passed(_ frames: Int) -> Bool {
        guard let left = silence else { return false }
        silence = max(left - frames, 0)
        return silence == 0
    }
}

/// Starting at a moment: the stream runs at once and plays silence, because only of a running stream it is known when its
/// frames are heard. Once that is known, the first frame of the source takes its place, in front of silence that was
/// written already or over it.
extension PulsePlayback {
    /// The places are looked at from this long before the moment: clocks drift apart by up to 0.1 ms in a second.
    private static var horizon: Int64 { 1_000_000_000 }
    /// From here on what is known counts, agreed upon or not.
    private static var lastCall: Int64 { 60_000_000 }
    /// How far two answers by the server's clock may be apart.
    private static var agreement: Double { 0.002 }
    /// Nanoseconds by which frames may be heard at other times than the timeline says. A stream that is further off has had a
    /// mishap, and a new row begins. The clock of a device drifts from the machine's by up to 0.2 ms in a second: what is to
    /// follow another stream follows its frames, not the machine's clock.
    private static func drift(since origin: Int64, at moment: Int64) -> Double {
        10_000_000 + 0.000_2 * Double(max(moment - origin, 0))
    }

    func start(at moment: HostTime) throws(AudioFailure) {
        let isPast = moment.nanoseconds <= Int64(clamping: MachineTime.microseconds) * 1_000
        if isPast { return try start() }
        let wasRunning = try withStream { stream in
            if isRunning, progress == .rendering { return true }
            if progress == .drained { progress = .rendering }
            lead = PulseLead(moment, on: connection.loop) { [unowned self] in look() }
            isRunning = true
            fill(stream, bytes: pa_stream_writable_size(stream))
            return false
        }
        if wasRunning { return }
        try uncork {
            isRunning = false
            lead = nil
        }
        connection.loop.withLock { look() }
    }

    /// Asks where this stream is, and where one is whose place on the timeline is known: before and after, so that a block in
    /// between is noticed.
    private func look() {
        guard let lead, lead.silence == nil, lead.look == nil, lead.timeLeft < Self.horizon, let handle else { return }
        let reference = connection.timeline.reference(for: self, device: pa_stream_get_device_index(handle))
        let own = (handle: handle, bytesPerFrame: bytesPerFrame)
        let other = reference.flatMap { reference in
            reference.stream.handle.map { (handle: $0, bytesPerFrame: reference.stream.bytesPerFrame) }
        }
        let look = PulseLook(at: [other, own, other].compactMap { $0 }) { [unowned self] places in
            self.lead?.look = nil
            if places.count == 1 {
                see(places[0], reference: nil)
            } else if let reference, let before = places[0], before.read == places[2]?.read {
                see(places[1], reference: (before, reference.anchor))
            } else {
                see(nil, reference: nil)
            }
        }
        if look.isAsked { lead.look = look }
    }

    private func see(_ own: PulsePlace?, reference: (place: PulsePlace, anchor: PulseTimeline.Anchor)?) {
        guard let lead, lead.silence == nil, let handle else { return }
        guard let own, own.isPlaying else {
            // A device that sleeps, or a server that says nothing, must not keep the sound for ever.
            if lead.timeLeft <= 0 { begin(handle, at: nil, behind: own) }
            return
        }
        let isSettled: Bool
        if let (place, anchor) = reference,
            abs(anchor.moment(of: place.read) - Double(place.heard)) < Self.drift(since: anchor.origin, at: place.heard)
        {
            lead.origin = anchor.origin
            isSettled = lead.foundByCount(
                anchor.sampleRate == sampleRate
                    ? anchor.frame(at: lead.moment) - place.read + own.read
                    : own.read
                        + Int64(((Double(lead.moment) - anchor.moment(of: place.read)) * sampleRate / 1e9).rounded())
            )
        } else {
            lead.origin = lead.moment
            let anchor = PulseTimeline.Anchor(
                frame: own.read,
                moment: own.heard,
                sampleRate: sampleRate,
                origin: lead.moment
            )
            isSettled = lead.foundByClock(anchor.frame(at: lead.moment), within: Int64(Self.agreement * sampleRate))
            // Another stream has taken its place meanwhile: this one is to be counted against it.
            let device = pa_stream_get_device_index(handle)
            if reference == nil, lead.timeLeft > 0, connection.timeline.reference(for: self, device: device) != nil {
                return
            }
        }
        if isSettled || lead.timeLeft < Self.lastCall { begin(handle, at: lead.found, behind: own) }
    }

    /// Puts the source's first frame to `frame` of the stream; as early as can be where that has passed or is not known.
    private func begin(_ handle: OpaquePointer, at frame: Int64?, behind place: PulsePlace?) {
        guard let lead else { return }
        if let frame {
            connection.timeline.join(
                self,
                device: pa_stream_get_device_index(handle),
                PulseTimeline.Anchor(
                    frame: frame,
                    moment: lead.moment,
                    sampleRate: sampleRate,
                    origin: lead.origin
                )
            )
        }
        guard let information = pa_stream_get_timing_info(handle)?.pointee, information.write_index_corrupt == 0 else {
            return dropLead(handle, 0)
        }
        let written = information.write_index / Int64(bytesPerFrame)
        let start = max(frame ?? .min, place?.read ?? written)
        if start > written { lead.settle(Int(start - written)) } else { dropLead(handle, Int(written - start)) }
    }

    /// Writes the source over the last silent frames.
    private func dropLead(_ handle: OpaquePointer, _ silent: Int) {
        lead = nil
        let bytes = pa_stream_writable_size(handle)
        if bytes == Int.max { return }
        fill(handle, bytes: bytes + silent * bytesPerFrame, offset: -Int64(silent * bytesPerFrame))
    }
}
