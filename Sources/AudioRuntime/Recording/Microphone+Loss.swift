import AudioCore
import Dispatch
import Synchronization

/// What devices do by themselves. On the microphone's queue, where nothing else is said.
extension Microphone {
    /// At once, on the device layer's thread: frames may follow before the queue gets to it.
    func mark(_ event: StreamEvent) {
        switch event {
        case .suspended:
            let frames = filter.heardFrames
            state.withLock { $0.unheard = (frames, .suspended) }
            filter.expectGap(.suspended)
        // Another device may have another latency.
        case .moved: filter.expectGap(.deviceLost, beyond: .milliseconds(50))
        case .lost, .overflow, .corked, .underflow, .drained: break
        }
    }

    func receive(_ event: StreamEvent, from number: Int) {
        guard state.withLock({ $0.number == number }) else { return }
        switch event {
        case .lost(let failure): lose(failure)
        case .moved(let previous, let device):
            state.withLock { state in
                state.device = device
                state.watch = DeliveryWatch()
            }
            onEvent(.notice(.microphoneChanged(from: previous, to: device)))
        case .suspended(let isSuspended):
            state.withLock { state in
                state.isSuspended = isSuspended
                state.watch = DeliveryWatch()
            }
            onEvent(.notice(.microphoneAsleep(isSuspended)))
        // Lost frames are told as a gap.
        case .overflow, .corked, .underflow, .drained: break
        }
    }

    // MARK: Loss

    /// The stream is dead, or as good as dead.
    private func lose(_ failure: AudioFailure) {
        let device = self.device
        discard()
        let isEnding = policy() == .stop
        let (isFinal, isMissed) = state.withLock { state in
            state.isSuspended = false
            state.isAbsent = state.isFlowing && !isEnding
            state.tries = 0
            return (isEnding || !state.hasStarted, state.isAbsent)
        }
        if isFinal { return onEvent(.lost(failure)) }
        onEvent(.notice(.microphoneLost(device)))
        if isMissed {
            let frames = filter.heardFrames
            state.withLock { $0.unheard = (frames, .deviceLost) }
            filter.expectGap(.deviceLost)
            if clock.hold() != nil { searchWithoutTime() }
            search()
        }
    }

    /// Looks for a microphone now, and whenever a device changes, at the very moment: where time is stepped, what follows
    /// a change must not depend on when a timer of the machine's runs out.
    private func searchWithoutTime() {
        let number = state.withLock { $0.number }
        let observation = devices.observeDevices { [weak self] in
            guard let self else { return }
            let hold = self.clock.hold()
            self.queue.async { [weak self] in
                if let self { self.replace(self.state.withLock { $0.number }) }
                withExtendedLifetime(hold) {}
            }
        }
        setObservation(observation)
        replace(number)
    }

    /// The one before is released outside of the lock.
    func setObservation(_ observation: (any AnyObject & Sendable)?) {
        let before = state.withLock { state in
            defer { state.observation = observation }
            return state.observation
        }
        withExtendedLifetime(before) {}
    }

    /// Looks for a microphone, again and again, until there is one or nobody wants one any more. Most come back soon; one
    /// that does not is asked for less often.
    private func search() {
        let (number, tries) = state.withLock { state in
            state.tries += 1
            return (state.number, state.tries)
        }
        let pause = min(100 + 50 * tries, 1000)
        queue.asyncAfter(deadline: .now() + .milliseconds(pause)) { [weak self] in self?.replace(number) }
    }

    /// - Parameter number: of the stream that was lost.
    private func replace(_ number: Int) {
        guard state.withLock({ $0.number == number && $0.isAbsent }) else { return }
        let before = state.withLock { $0.device }
        do throws(AudioFailure) {
            let (stream, number) = try open(try replacement())
            guard adopt(stream, number, isStarting: true) else { return stream.close() }
            try stream.start()
            let isStarted = state.withLock { state in
                guard state.number == number else { return false }
                state.isStarting = false
                state.isAbsent = false
                state.watch = DeliveryWatch()
                return true
            }
            setObservation(nil)
            if isStarted, let device = self.device { onEvent(.notice(.microphoneChanged(from: before, to: device))) }
        } catch {
            let isMissed = state.withLock { $0.isFlowing && $0.isAbsent }
            if !isMissed { return }
            discard()
            search()
        }
    }

    /// The device to open: nil for the default. An output's monitor is taken only where it was asked for by name.
    func replacement() throws(AudioFailure) -> String? {
        let isWaiting = policy() != .fallBack
        let inputs = try devices.devices().filter { $0.direction == .input }
        if let wanted = request.deviceID {
            if inputs.contains(where: { $0.id == wanted }) { return wanted }
            if isWaiting { throw AudioFailure(.deviceUnavailable, "The microphone '\(wanted)' is gone.") }
        }
        let wasMonitor = state.withLock { $0.device?.isMonitor ?? false }
        if isWaiting, request.deviceID == nil, wasMonitor, inputs.contains(where: \.isDefault) { return nil }
        let microphones = inputs.filter { !$0.isMonitor }
        if microphones.contains(where: \.isDefault) { return nil }
        guard let other = microphones.first else {
            throw AudioFailure(.deviceUnavailable, "There is no microphone to go on with.")
        }
        return other.id
    }

    // MARK: Watching

    /// Asks at intervals whether frames come and what is heard, until the flow is stopped.
    func watch() {
        let number = state.withLock { state in
            state.watch = DeliveryWatch()
            state.watchNumber += 1
            return state.watchNumber
        }
        look(number)
    }

    private func look(_ number: Int) {
        let pause = DispatchTimeInterval.nanoseconds(Int(DeliveryWatch.interval.inNanoseconds))
        queue.asyncAfter(deadline: .now() + pause) { [weak self] in
            guard let self, self.state.withLock({ $0.watchNumber == number }) else { return }
            self.tellSignalChanges()
            self.checkDelivery()
            self.look(number)
        }
    }

    private func checkDelivery() {
        let now = clock.now
        let (finding, isMonitor) = state.withLock { state -> (DeliveryWatch.Finding?, Bool) in
            let isMonitor = state.device?.isMonitor ?? false
            if state.stream == nil || state.isStarting || state.isSuspended { return (nil, isMonitor) }
            return (state.watch.observe(filter.heardFrames, at: now), isMonitor)
        }
        switch finding {
        // An output that plays nothing may give nothing.
        case .stalled where isMonitor: filter.expectLoss(.suspended)
        case .hopeless where isMonitor, .flowing where isMonitor, nil: break
        case .stalled: onEvent(.notice(.microphoneStalled(true)))
        case .flowing: onEvent(.notice(.microphoneStalled(false)))
        case .hopeless:
            let name = device.map { "'\($0.name)'" } ?? "The microphone"
            lose(AudioFailure(.deviceUnavailable, "\(name) says that it runs but gives no sound any more."))
        }
    }

    /// Also by control, which has stopped the flow.
    func tellSignalChanges() {
        // One reader at a time.
        for change in state.withLock({ _ in filter.takeChanges() }) { onEvent(.notice(.signal(change))) }
    }
}
