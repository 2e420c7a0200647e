import AudioCore
import AudioRuntime
import AudioSimulation
import TestSupport
import Testing

/// What a recording makes of a battery that runs low, of short memory, and of a program that ends.
@Suite("Battery and memory while it records")
struct MachineStateTests {
    let bench = SystemBench()
    var engine: RecorderEngine { bench.engine }

    init() throws {
        // So seldom that nothing is on the disk by itself.
        bench.engine.options.durability = .longLife
        try bench.engine.record()
        bench.pass(.seconds(3))
    }

    /// What a power cut leaves that drops everything that was not synchronised.
    func lengthOnDisk() throws -> FrameCount {
        try bench.length(in: bench.files.afterPowerCut(seed: 1, fate: .dropped))
    }

    @Test("what was heard is on the disk when it is told, and the recording goes on")
    func secured() throws {
        #expect(try lengthOnDisk() < bench.frames(2.9))
        bench.conditions.power { $0 = PowerState(batteryLevel: 0.09, isOnBattery: true, warning: .low) }
        #expect(eventually { bench.notices.all.count == 1 })
        #expect(try lengthOnDisk() >= bench.frames(2.9))
        bench.pass(.seconds(2))
        bench.conditions.memory(is: .critical)
        #expect(eventually { bench.notices.all.count == 2 })
        #expect(try lengthOnDisk() >= bench.frames(4.9))
        #expect(bench.notices.all.last == .memoryPressure(.critical))
        engine.stop()
        #expect(try bench.length() == bench.frames(5))
    }

    @Test("a low-power mode and the return to normal are told, a battery's every percent is not")
    func told() throws {
        for level in [0.5, 0.49, 0.48] { bench.conditions.power { $0 = PowerState(batteryLevel: level) } }
        bench.conditions.power { $0.isLowPowerMode = true }
        bench.conditions.power { $0.isLowPowerMode = false }
        bench.conditions.memory(is: .warning)
        bench.conditions.memory(is: .normal)
        #expect(eventually { bench.notices.all.count == 4 })
        let told = bench.notices.all.map { notice in
            switch notice {
            case .power(let power): "saves power: \(power.isLowPowerMode)"
            case .memoryPressure(let pressure): "memory: \(pressure)"
            default: "else"
            }
        }
        #expect(told == ["saves power: true", "saves power: false", "memory: warning", "memory: normal"])
        engine.stop()
    }

    @Test("a program that is about to end, or to be suspended, has everything on the disk")
    func ends() throws {
        bench.conditions.program(is: .terminated)
        #expect(try eventually { try lengthOnDisk() >= bench.frames(2.9) })
        #expect(engine.phase == .recording)
        engine.stop()
    }

    @Test("after its end nothing is watched any more")
    func afterwards() throws {
        engine.stop()
        bench.conditions.memory(is: .critical)
        bench.conditions.power { $0.warning = .critical }
        bench.pass(.seconds(1))
        #expect(bench.notices.all.isEmpty)
    }
}
