import AudioCore
import Testing

@Suite struct DeliveryWatchTests {
    /// Asks every 200 ms; `frames` gives what had come by then.
    func findings(_ seconds: Double, _ frames: (Double) -> Int64) -> [(Double, DeliveryWatch.Finding)] {
        var watch = DeliveryWatch()
        return stride(from: 0, through: seconds, by: 0.2).compactMap { time in
            watch.observe(frames(time), at: HostTime(nanoseconds: Int64(time * 1e9))).map { (time, $0) }
        }
    }

    @Test("a device that stops is told after a second, given up after five")
    func stops() {
        let found = findings(20) { Int64(min($0, 10) * 48_000) }
        #expect(found.map(\.1) == [.stalled, .hopeless])
        #expect(found.first.map { $0.0 > 11 && $0.0 < 11.5 } == true, "\(found)")
        #expect(found.last.map { $0.0 > 15 && $0.0 < 15.5 } == true, "\(found)")
    }

    @Test("one that goes on is told, and may stop again")
    func goesOn() {
        let found = findings(20) { Int64($0 < 3 || $0 > 6 ? $0 * 48_000 : 3 * 48_000) }
        #expect(found.map(\.1) == [.stalled, .flowing])
    }

    @Test("deliveries once a second are no stall")
    func rare() { #expect(findings(30) { Int64($0) }.isEmpty) }

    @Test("a process that stood still for a minute does not blame the device")
    func stoppedProcess() {
        var watch = DeliveryWatch()
        #expect(watch.observe(100, at: HostTime(nanoseconds: 0)) == nil)
        #expect(watch.observe(100, at: HostTime(nanoseconds: 60_000_000_000)) == nil)
        #expect(watch.observe(200, at: HostTime(nanoseconds: 60_200_000_000)) == nil)
    }

    @Test("a device that gives two seconds at once is told once at most")
    func slowRhythm() {
        let found = findings(60) { Int64($0 / 2) * 96_000 }
        #expect(found.map(\.1) == [.stalled, .flowing])
    }
}
