import AudioCore
import Synchronization
import TestSupport
import Testing

/// What every device layer promises of its devices, and of streams whose device changes.
@Suite(.serialized) struct DeviceTests {
    private func request(_ id: String? = nil) -> StreamRequest {
        StreamRequest(sampleRate: 44_100, channelCount: 1, deviceID: id, title: "test")
    }

    @Test("The list has the output, its monitor, and the defaults", arguments: HarnessKind.allCases)
    func list(_ kind: HarnessKind) throws {
        let harness = try kind.make()
        try harness.addMicrophone("first")
        try harness.makeDefault(microphone: "first")
        let devices = try harness.host.devices()
        let output = try #require(devices.first { $0.id == harness.output })
        let input = try #require(devices.first { $0.id == harness.input })
        let microphone = try #require(devices.first { $0.id == "first" })
        #expect(output.direction == .output && output.isDefault && !output.isMonitor)
        #expect(input.direction == .input && input.isMonitor && input.port == .monitor && !input.isDefault)
        #expect(microphone.direction == .input && microphone.isDefault && !microphone.isMonitor)
        #expect(output.sampleRate == 48_000 && output.channelCount == 2)
        #expect(!output.isMuted && abs(output.volume - 1) < 0.001)
    }

    @Test("A wrong name is refused with the right ones; impossible formats too", arguments: HarnessKind.allCases)
    func refusals(_ kind: HarnessKind) throws {
        let harness = try kind.make()
        let wrong = #expect(throws: AudioFailure.self) {
            _ = try harness.host.openCapture(request("nowhere"), sink: RecordingSink()) { _ in }
        }
        #expect(wrong?.code == .deviceUnavailable)
        #expect(wrong?.message.contains("nowhere") == true && wrong?.message.contains(harness.input) == true)
        // An output is no input.
        let output = #expect(throws: AudioFailure.self) {
            _ = try harness.host.openCapture(request(harness.output), sink: RecordingSink()) { _ in }
        }
        #expect(output?.code == .deviceUnavailable)
        for (rate, channels) in [(0.0, 1), (-1, 1), (.nan, 1), (.infinity, 1), (1e9, 1), (44_100, 0), (44_100, 1000)] {
            let bad = StreamRequest(sampleRate: rate, channelCount: channels, title: "test")
            let failure = #expect(throws: AudioFailure.self) {
                _ = try harness.host.openCapture(bad, sink: RecordingSink()) { _ in }
            }
            #expect(failure?.code == .invalidArgument)
        }
    }

    @Test("A stream that follows goes along with the default, and says so", arguments: HarnessKind.allCases)
    func follow(_ kind: HarnessKind) throws {
        let harness = try kind.make()
        try harness.addMicrophone("first")
        try harness.makeDefault(microphone: "first")
        let events = EventLog()
        let sink = RecordingSink()
        let stream = try harness.host.openCapture(request(), sink: sink) { events.append($0) }
        try stream.start()
        #expect(stream.device?.id == "first")
        try harness.addMicrophone("second")
        try harness.remove(microphone: "first")
        let moved = harness.pass { !events.all.isEmpty }
        #expect(moved)
        guard case .moved(let from, let to)? = events.all.first else {
            Issue.record("The stream did not say that it moved: \(events.all)")
            return
        }
        #expect(from?.id == "first" && to.id == "second")
        #expect(stream.device?.id == "second")
        let before = sink.count
        #expect(harness.pass { sink.count > before + 4410 })
        stream.close()
    }

    @Test("A monitor never takes the place of a microphone", arguments: HarnessKind.allCases)
    func monitorIsNoReplacement(_ kind: HarnessKind) throws {
        let harness = try kind.make()
        try harness.addMicrophone("first")
        try harness.makeDefault(microphone: "first")
        let events = EventLog()
        let sink = RecordingSink()
        let stream = try harness.host.openCapture(request(), sink: sink) { events.append($0) }
        try stream.start()
        harness.pass(0.1)
        try harness.remove(microphone: "first")
        let isLost = harness.pass { events.lostCode != nil }
        #expect(isLost)
        #expect(events.lostCode == .deviceUnavailable)
        #expect(events.all.count == 1)
        let count = sink.count
        harness.pass(0.2)
        #expect(sink.count == count)
        #expect(throws: AudioFailure.self) { try stream.start() }
        stream.close()
    }

    @Test("A pinned stream is never moved", arguments: HarnessKind.allCases)
    func pinned(_ kind: HarnessKind) throws {
        let harness = try kind.make()
        try harness.addMicrophone("first")
        try harness.addMicrophone("second")
        let events = EventLog()
        let stream = try harness.host.openCapture(request("first"), sink: RecordingSink()) { events.append($0) }
        try stream.start()
        harness.pass(0.05)
        try harness.makeDefault(microphone: "second")
        harness.pass(0.1)
        #expect(events.all.isEmpty)
        try harness.remove(microphone: "first")
        #expect(harness.pass { events.lostCode != nil })
        #expect(events.lostCode == .deviceUnavailable)
        #expect(events.count { if case .moved = $0 { true } else { false } } == 0)
        stream.close()
    }

    @Test("A suspended device says so, and goes on when it wakes", arguments: HarnessKind.suspending)
    func suspension(_ kind: HarnessKind) throws {
        let harness = try kind.make()
        try harness.addMicrophone("first")
        let events = EventLog()
        let sink = RecordingSink()
        let stream = try harness.host.openCapture(request("first"), sink: sink) { events.append($0) }
        try stream.start()
        harness.pass(0.1)
        try harness.suspend(true, microphone: "first")
        #expect(harness.pass { events.count { if case .suspended(true) = $0 { true } else { false } } == 1 })
        let count = sink.count
        harness.pass(0.2)
        #expect(sink.count <= count + 2205)
        try harness.suspend(false, microphone: "first")
        #expect(harness.pass { events.count { if case .suspended(false) = $0 { true } else { false } } == 1 })
        let woken = sink.count
        #expect(harness.pass { sink.count > woken + 4410 })
        stream.close()
    }

    @Test("A lost server kills streams; the next call finds the new one", arguments: HarnessKind.allCases)
    func serverLoss(_ kind: HarnessKind) throws {
        let harness = try kind.make()
        let events = EventLog()
        let changes = Mutex(0)
        let observation = harness.host.observeDevices { changes.withLock { $0 += 1 } }
        let stream = try harness.host.openCapture(request(harness.input), sink: RecordingSink()) { events.append($0) }
        try stream.start()
        harness.pass(0.1)
        harness.loseServer()
        #expect(harness.pass { events.lostCode != nil })
        #expect(events.lostCode == .serverUnavailable)
        let failure = #expect(throws: AudioFailure.self) { _ = try harness.host.devices() }
        #expect(failure?.code == .serverUnavailable)
        #expect(throws: AudioFailure.self) { try stream.start() }
        stream.close()

        let before = changes.withLock { $0 }
        try harness.restoreServer()
        #expect(harness.pass(atMost: 5) { changes.withLock { $0 } > before })
        withExtendedLifetime(observation) {}
        let sink = RecordingSink()
        let next = try harness.host.openCapture(request(harness.input), sink: sink) { _ in }
        try next.start()
        #expect(harness.pass { sink.count > 4410 })
        next.close()
    }

    @Test("Observers hear of a device that comes and goes, until they are released", arguments: HarnessKind.allCases)
    func observation(_ kind: HarnessKind) throws {
        let harness = try kind.make()
        let changes = Mutex(0)
        var observation: (any AnyObject & Sendable)? = harness.host.observeDevices { changes.withLock { $0 += 1 } }
        harness.pass(0.2)
        var before = changes.withLock { $0 }
        try harness.addMicrophone("first")
        #expect(harness.pass { changes.withLock { $0 } > before })
        before = changes.withLock { $0 }
        try harness.remove(microphone: "first")
        #expect(harness.pass { changes.withLock { $0 } > before })
        harness.pass(0.2)
        withExtendedLifetime(observation) {}
        observation = nil
        before = changes.withLock { $0 }
        try harness.addMicrophone("second")
        harness.pass(0.2)
        #expect(changes.withLock { $0 } == before)
    }
}

extension EventLog {
    /// Why the stream was lost; nil where it was not.
    var lostCode: AudioFailure.Code? {
        for case .lost(let failure) in all { return failure.code }
        return nil
    }
}
