import Foundation
package import RecordingKit

/// `kayit devices`.
@MainActor
package struct DevicesCommand {
    static let levels = OptionSyntax("levels", "l", "show for a while what every input hears")
    static let seconds = OptionSyntax("seconds", "s", value: "N", "how long --levels listens (5)")

    package static let syntax = CommandSyntax(
        name: "devices",
        summary: "list microphones and speakers",
        options: [levels, seconds],
        notes: ["* marks the default. Inputs of the kind \"monitor\" hear what an output plays."],
        examples: [
            ("kayit devices", "names, connectors and rates"),
            ("kayit devices --levels", "which microphone hears something?"),
            ("kayit devices --json | jq -r '.inputs[].id'", "the ids, for --device"),
        ]
    )

    private let listens: Bool
    private let seconds: Double
    private let console: Console

    package init(_ arguments: ParsedArguments, _ console: Console) throws(UsageError) {
        listens = arguments.has(Self.levels)
        seconds = try arguments.number(Self.seconds, in: 0.1...86_400, unit: " seconds") ?? 5
        self.console = console
    }

    /// Lists everything and returns the code to exit with.
    package func run() async -> Int32 {
        do throws(RecordingError) {
            let list = try AudioDeviceList.current()
            console.record(DeviceLine(list))
            if !console.isJSON {
                console.layout(DeviceText.section("Inputs", list.inputs) + DeviceText.section("Outputs", list.outputs))
            }
            return listens ? try await listen(list.inputs) : ExitCode.success.rawValue
        } catch {
            console.fail(error)
            return ExitCode(error, .devices).rawValue
        }
    }

    private func listen(_ inputs: [AudioDevice]) async throws(RecordingError) -> Int32 {
        var meters: [InputLevels] = []
        for input in inputs { meters.append(InputLevels(input, try InputLevelMeter(input))) }
        guard !meters.isEmpty else { return ExitCode.success.rawValue }

        let (events, continuation) = AsyncStream.makeStream(of: ProgramEvent.self)
        let program = ProgramEvents(console, tick: .milliseconds(50)) { continuation.yield($0) }
        defer { program.stop() }
        let start = ProcessInfo.processInfo.systemUptime
        loop: for await event in events {
            switch event {
            case .key(.quit): break loop
            case .key: break
            case .signal(let number):
                console.keepProgress()
                return 128 + number
            case .tick:
                let now = ProcessInfo.processInfo.systemUptime
                for index in meters.indices { meters[index].update(at: now) }
                console.progress(meters.map { $0.line(columns: console.columns, isUnicode: console.isUnicode) })
                if now - start >= seconds { break loop }
            }
        }
        console.keepProgress()
        for meter in meters {
            console.record(LevelLine(device: meter.device.id, peakPower: meter.loudest))
            if !console.isInteractive { console.result(meter.summary) }
        }
        return ExitCode.success.rawValue
    }
}

/// What one input hears, as it is shown.
private struct InputLevels {
    let device: AudioDevice
    private let source: InputLevelMeter
    private var meter = ChannelMeter()
    private(set) var loudest: Float = -160

    init(_ device: AudioDevice, _ source: InputLevelMeter) {
        self.device = device
        self.source = source
    }

    mutating func update(at time: Double) {
        let channels = 0..<source.channelCount
        let average = channels.map { source.averagePower(forChannel: $0) }.max() ?? -160
        let peak = channels.map { source.peakPower(forChannel: $0) }.max() ?? -160
        meter.update(average: average, peak: peak, at: time)
        loudest = max(loudest, peak)
    }

    func line(columns: Int, isUnicode: Bool) -> String {
        let width = min(max(columns - 16 - 3, 8), 40)
        let rest = max(columns - width - 16 - 2, 0)
        return "\(meter.bar(width: width, isUnicode: isUnicode)) \(meter.text)  \(device.name.prefix(rest))"
    }

    var summary: String {
        loudest <= -100 ? "\(device.name): silence" : "\(device.name): peak \(fixed(Double(loudest), digits: 1)) dBFS"
    }
}

/// Devices in words.
package enum DeviceText {
    /// A heading and one line for each device.
    package static func section(_ heading: String, _ devices: [AudioDevice]) -> String {
        if devices.isEmpty { return "\(heading): none\n" }
        let lines = devices.map { device in
            "\(device.isDefault ? "*" : " ") \(device.name)\n      \(details(device))\n      id \(device.id)"
                .split(separator: "\n", omittingEmptySubsequences: false)
                .map { String($0).printable }
                .joined(separator: "\n")
        }
        return "\(heading):\n" + lines.joined(separator: "\n") + "\n"
    }

    private static func details(_ device: AudioDevice) -> String {
        var parts = [device.isMonitor ? "monitor" : device.port]
        if let portName = device.portName { parts.append(portName) }
        if let bus = device.bus, bus != device.port { parts.append(bus) }
        if let formFactor = device.formFactor { parts.append(formFactor) }
        parts.append(kilo(device.sampleRate, "Hz"))
        parts.append(device.channelCount == 1 ? "1 channel" : "\(device.channelCount) channels")
        if device.isMuted { parts.append("muted") }
        return parts.joined(separator: ", ")
    }
}

/// What `devices --json` prints.
private struct DeviceLine: Encodable {
    struct Device: Encodable {
        var id, name, port: String
        var isDefault, isMonitor, isMuted: Bool
        var portName, bus, formFactor: String?
        var sampleRate: Double
        var channelCount: Int
        var volume: Double

        init(_ device: AudioDevice) {
            (id, name, port) = (device.id, device.name, device.port)
            (isDefault, isMonitor, isMuted) = (device.isDefault, device.isMonitor, device.isMuted)
            (portName, bus, formFactor) = (device.portName, device.bus, device.formFactor)
            sampleRate = device.sampleRate
            channelCount = device.channelCount
            volume = device.volume
        }
    }

    var layer: String
    var inputs: [Device]
    var outputs: [Device]

    init(_ list: AudioDeviceList) {
        layer = list.layer
        inputs = list.inputs.map(Device.init)
        outputs = list.outputs.map(Device.init)
    }
}

/// What `devices --levels --json` prints behind it, for each input.
private struct LevelLine: Encodable {
    var event = "level"
    var device: String
    var peakPower: Float
}
