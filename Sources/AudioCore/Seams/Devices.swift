/// Which way audio flows through a device.
package enum DeviceDirection: String, Sendable, Hashable { case input, output }

/// What kind of connector a device is, as far as the layer below tells.
package enum PortKind: String, Sendable, Hashable, CaseIterable {
    case builtInMicrophone, headsetMicrophone, lineIn, usb, bluetooth, builtInSpeaker, headphones, lineOut, hdmi
    case monitor, virtual, unknown
}

/// A microphone, speaker, or other end of a stream.
package struct DeviceDescription: Sendable, Hashable {
    /// The stable name by which the device layer finds it again ("alsa_input.usb-…").
    package var id: String
    /// What people call it.
    package var name: String
    package var direction: DeviceDirection
    package var isDefault: Bool
    /// True for a capture device that hears what an output plays. Never taken as a replacement for a microphone.
    package var isMonitor: Bool
    package var port: PortKind
    /// The active port's name as the server says it; nil where it has none.
    package var portName: String?
    /// False where the server says that nothing is plugged into the active port. It may err: such a device may work.
    package var isPluggedIn = true
    /// "pci", "usb", "bluetooth"; nil where unknown.
    package var bus: String?
    /// "internal", "headset", "webcam" …; nil where unknown.
    package var formFactor: String?
    /// The rate that the hardware runs at now, frames per second.
    package var sampleRate: Double
    package var channelCount: Int
    package var isMuted: Bool
    /// The factor of the amplitude: 0 … 1, or above where the server amplifies. That of the loudest channel, as mixers show it.
    package var volume: Double
    /// `setVolume(_:ofInput:)` works on it.
    package var isVolumeSettable: Bool

    package init(
        id: String,
        name: String,
        direction: DeviceDirection,
        isDefault: Bool = false,
        isMonitor: Bool = false,
        port: PortKind = .unknown,
        portName: String? = nil,
        bus: String? = nil,
        formFactor: String? = nil,
        sampleRate: Double,
        channelCount: Int,
        isMuted: Bool = false,
        volume: Double = 1,
        isVolumeSettable: Bool = false
    ) {
        self.id = id
        self.name = name
        self.direction = direction
        self.isDefault = isDefault
        self.isMonitor = isMonitor
        self.port = port
        self.portName = portName
        self.bus = bus
        self.formFactor = formFactor
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.isMuted = isMuted
        self.volume = volume
        self.isVolumeSettable = isVolumeSettable
    }
}

/// What a sound server may do to sound between a device and a stream.
package enum StreamProcessing: String, Sendable, Hashable {
    /// What the user has set up.
    case automatic
    /// As little as possible: what is captured is to be measured.
    case raw
    /// What helps a conversation, such as the cancellation of echoes, where the server offers it.
    case conversation
}

/// What is asked of a device layer when a stream is opened.
package struct StreamRequest: Sendable {
    /// Frames per second that the stream delivers or takes; the layer resamples where the hardware runs otherwise.
    package var sampleRate: Double
    package var channelCount: Int
    /// The device to pin to, by `DeviceDescription.id`; nil follows the default device.
    package var deviceID: String?
    /// The length of one delivery; a hint.
    package var fragment: Duration
    /// "production", "music", "phone" …: what the stream is for, as the desktop's media roles name it.
    package var mediaRole: String?
    /// A wish: a server that knows nothing of it does as it does.
    package var processing: StreamProcessing
    /// Shown by mixers beside the application's name.
    package var title: String
    /// For each channel of a playback stream the channel of the device, from 0, that it goes to and no other; channels of the
    /// device that are not among them stay silent, and a channel without a place is not heard. Only with a `deviceID`. Nil
    /// leaves it to the layer.
    package var channelPlaces: [Int?]?

    package init(
        sampleRate: Double,
        channelCount: Int,
        deviceID: String? = nil,
        fragment: Duration = .milliseconds(20),
        mediaRole: String? = nil,
        processing: StreamProcessing = .automatic,
        title: String,
        channelPlaces: [Int?]? = nil
    ) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.deviceID = deviceID
        self.fragment = fragment
        self.mediaRole = mediaRole
        self.processing = processing
        self.title = title
        self.channelPlaces = channelPlaces
    }

    /// Refuses channels that `device` does not have.
    package func checkPlaces(on device: DeviceDescription) throws(AudioFailure) {
        guard let channelPlaces else { return }
        let places = channelPlaces.compactMap { $0 }
        guard channelPlaces.count == channelCount, places.allSatisfy({ 0..<device.channelCount ~= $0 }) else {
            throw AudioFailure(
                .invalidArgument,
                "\(channelCount) channels cannot go to the channels \(places.map { $0 &+ 1 }) of '\(device.name)', "
                    + "which has \(device.channelCount)."
            )
        }
    }
}

/// Takes what a capture stream hears.
package protocol CaptureSink: AnyObject, Sendable {
    /// Called on the device thread with interleaved 32-bit float frames of the stream's format.
    ///
    /// For implementations: copy and return. No lock, no allocation, no call that can block.
    /// - Returns: the frames accepted. A device in real time drops the rest and says so by `lost`. A device in virtual time
    ///   keeps the rest and offers it again, so that nothing is lost for speed.
    func capture(_ samples: UnsafeRawPointer, frames: Int) -> Int

    /// Called on the device thread: `frames` frames passed between the last `capture` call and the next and are gone,
    /// because they were not accepted or the device dropped them.
    ///
    /// For implementations: as `capture`. The file gets silence of the same length there, so that its time stays right.
    func lost(frames: Int)

    /// The same, where the device layer knows why.
    func lost(frames: Int, _ reason: RecordingGap.Reason)
}

extension CaptureSink {
    package func lost(frames: Int, _ reason: RecordingGap.Reason) { lost(frames: frames) }
}

/// Gives what a playback stream plays.
package protocol PlaybackSource: AnyObject, Sendable {
    /// Called on the device thread: fill up to `frames` interleaved 32-bit float frames.
    ///
    /// For implementations: copy and return. No lock, no allocation, no call that can block.
    func render(into samples: UnsafeMutableRawPointer, frames: Int) -> RenderResult
}

/// What a render call gave.
package struct RenderResult: Sendable, Equatable {
    /// Frames filled, 0 … asked. Fewer than asked without `isLast` is an underrun: real time plays silence for the rest,
    /// virtual time waits.
    package var frames: Int
    /// Nothing follows these frames: the stream plays them out, then reports `.drained` and asks no more until it is
    /// started again.
    package var isLast: Bool

    @_noLocks @_noAllocation
    package init(frames: Int, isLast: Bool) {
        self.frames = frames
        self.isLast = isLast
    }
}

/// What happens to an open stream. Delivered on a thread of the device layer, one at a time, never while a lock of that
/// layer is held.
package enum StreamEvent: Sendable {
    /// The stream is now on another device than before.
    case moved(from: DeviceDescription?, to: DeviceDescription)
    /// The server suspended the device (true) or woke it (false). No data flows meanwhile.
    case suspended(Bool)
    /// The server dropped captured frames; `frames` where it can tell.
    case overflow(frames: FrameCount?)
    /// The speaker had nothing to play for a moment.
    case underflow
    /// Playback reached its last frame and it has been heard.
    case drained
    /// Another stream has the floor: the server asks this one to pause (true) or lets it go on (false).
    case corked(Bool)
    /// The device or the server is gone. The stream is dead: close it.
    case lost(AudioFailure)
}

/// An open stream. Comes back stopped: no sink or source call happens before `start()`.
package protocol DeviceStream: AnyObject, Sendable {
    /// The rate that the stream really runs at, which is the requested one unless the layer cannot.
    var sampleRate: Double { get }
    var channelCount: Int { get }
    /// The device that the stream is attached to now.
    var device: DeviceDescription? { get }

    /// Lets frames flow. Returns when the layer has confirmed it (capture) or has its first frames (playback).
    func start() throws(AudioFailure)

    /// Lets frames flow so that the first one that is rendered is heard at `moment` of the machine's clock, or at once where
    /// that has passed. Streams on one device that are given the same moment begin in the same frame, as long as it lies far
    /// enough ahead: see the adapter. Returns without waiting for the moment; `pause()` takes it back. Playback only.
    func start(at moment: HostTime) throws(AudioFailure)

    /// Stops the flow at once; nothing is drained; `start()` goes on. For capture, the frames that were heard before the
    /// call have been given to the sink when it returns.
    func pause() throws(AudioFailure)

    /// Drops frames that were rendered but not yet heard, so that what is rendered next is heard at once. Playback only.
    func flush() throws(AudioFailure)

    /// Ends the stream. No sink, source or event call happens after it returns. Never called from one of those.
    func close()

    /// Frames rendered but not yet heard (playback), or heard but not yet delivered (capture).
    func latency() -> FrameCount

    /// Seconds on the device's own clock: runs on while the stream is paused.
    var deviceTime: Double { get }

    /// How much faster than the machine's clock the device runs, in parts per million; nil where that is not known (yet).
    var clockDrift: Double? { get }
}

extension DeviceStream {
    package var clockDrift: Double? { nil }

    package func start(at moment: HostTime) throws(AudioFailure) {
        throw AudioFailure(.unsupported, "This device cannot start at a given moment. Start at once.")
    }
}

/// A way to reach microphones and speakers: a sound server, the kernel's drivers, or a simulation.
package protocol AudioDeviceHost: Sendable {
    /// The name that `KAYIT_AUDIO` selects it by ("pulse", "simulated").
    var name: String { get }

    /// All devices that can be used now, monitors included.
    /// - Throws: `serverUnavailable` within 2 seconds where nobody answers.
    func devices() throws(AudioFailure) -> [DeviceDescription]

    func openCapture(
        _ request: StreamRequest,
        sink: any CaptureSink,
        events: @escaping @Sendable (StreamEvent) -> Void
    ) throws(AudioFailure) -> any DeviceStream

    func openPlayback(
        _ request: StreamRequest,
        source: any PlaybackSource,
        events: @escaping @Sendable (StreamEvent) -> Void
    ) throws(AudioFailure) -> any DeviceStream

    /// Calls `changed` when a device appeared, vanished, changed its port or became the default, until the token is
    /// released. On a thread of the layer; reconnects by itself when the server comes back.
    func observeDevices(_ changed: @escaping @Sendable () -> Void) -> any AnyObject & Sendable

    /// Calls `changed` with the streams of other programs, at first and whenever they change, until the token is released.
    /// On a thread of the layer. An empty list where the server is gone; nil where the layer cannot tell.
    func observeOtherStreams(
        _ changed: @escaping @Sendable ([OtherStream]) -> Void
    ) -> (any AnyObject & Sendable)?

    /// Sets the level of an input for everybody who records from it, keeping the balance of its channels. A muted one stays
    /// muted. Who asks for the devices afterwards gets the new level.
    /// - Parameters:
    ///   - volume: the factor of the amplitude, 0 … 1.
    ///   - id: of a device whose `isVolumeSettable` is true.
    /// - Throws: `deviceUnavailable` where there is no such input, `unsupported` where its level cannot be set.
    func setVolume(_ volume: Double, ofInput id: String) throws(AudioFailure)
}

extension AudioDeviceHost {
    package func setVolume(_ volume: Double, ofInput id: String) throws(AudioFailure) {
        throw AudioFailure(.unsupported, "The levels of these devices cannot be set. Use the mixer of the desktop.")
    }
}
