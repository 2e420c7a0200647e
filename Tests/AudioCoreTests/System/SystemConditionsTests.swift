import AudioCore
import Synchronization
import TestSupport
import Testing

@Suite("System conditions")
struct SystemConditionsTests {
    @Test("each change is told once, in order; what is no change is not")
    func changes() {
        let conditions = SystemConditions()
        let told = Recorded<SystemState>()
        let observation = conditions.observe { told.append($0) }
        conditions.program(is: .foreground)
        conditions.program(is: .background)
        conditions.machine(isAsleep: true)
        conditions.program(is: .foreground)
        conditions.machine(isAsleep: false)
        conditions.memory(is: .critical)
        conditions.memory(is: .critical)
        #expect(told.all.map(\.app) == [.background, .suspended, .foreground, .foreground])
        #expect(told.all.last?.memoryPressure == .critical)
        withExtendedLifetime(observation) {}
    }

    @Test("a program that ends is not taken for one that sleeps")
    func terminated() {
        let conditions = SystemConditions()
        conditions.machine(isAsleep: true)
        conditions.program(is: .terminated)
        #expect(conditions.now.app == .terminated)
    }

    @Test("a change that an observer makes is told after the one that it heard of")
    func nestedChanges() {
        let conditions = SystemConditions()
        let told = Recorded<String>()
        let first = conditions.observe { now in
            told.append("first \(now.app)")
            if now.app == .background { conditions.program(is: .foreground) }
        }
        let second = conditions.observe { told.append("second \($0.app)") }
        conditions.program(is: .background)
        #expect(told.all == ["first background", "second background", "first foreground", "second foreground"])
        withExtendedLifetime((first, second)) {}
    }

    @Test("the machine is watched while there are observers, once, and not after them")
    func watching() {
        final class Watch: Sendable {
            let count: Recorded<Int>
            init(_ count: Recorded<Int>) {
                self.count = count
                count.append(1)
            }
            deinit { count.append(-1) }
        }
        let count = Recorded<Int>()
        let conditions = SystemConditions { _ in Watch(count) }
        #expect(count.all.isEmpty)
        var first: (any AnyObject & Sendable)? = conditions.observe { _ in }
        var second: (any AnyObject & Sendable)? = conditions.observe { _ in }
        #expect(count.all == [1])
        withExtendedLifetime(first) {}
        first = nil
        #expect(count.all == [1])
        withExtendedLifetime(second) {}
        second = nil
        #expect(count.all == [1, -1])
        withExtendedLifetime(conditions.observe { _ in }) {}
        #expect(count.all == [1, -1, 1, -1])
    }

    @Test("a battery's level is a number from 0 to 1, or not known")
    func levels() {
        #expect(PowerState(batteryLevel: 7).batteryLevel == 1)
        #expect(PowerState(batteryLevel: -0.1).batteryLevel == 0)
        #expect(PowerState(batteryLevel: .infinity).batteryLevel == 1)
        #expect(PowerState(batteryLevel: .nan).batteryLevel == nil)
    }
}
