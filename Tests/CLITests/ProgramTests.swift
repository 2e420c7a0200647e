import Foundation
import KayitCommands
import RecordingKit
import Synchronization
import TestSupport
import Testing

/// The program in this process, writing into memory.
@MainActor
struct ProgramTests {
    private struct Run {
        var status: Int32
        var output: String
        var error: String
    }

    private func run(_ arguments: String...) async -> Run {
        let sink = SharedText()
        let console = Console(isInteractive: false, isUnicode: true) { stream, bytes, _ in sink.add(bytes, to: stream) }
        let status = await Program.run(arguments, console, [:])
        return Run(status: status, output: sink.text(.output), error: sink.text(.error))
    }

    @Test func withoutACommandTheCommandsAreListed() async {
        let run = await run()
        #expect(run.status == 64)
        for command in Program.commands { #expect(run.output.contains("  \(command.name) ")) }
        #expect(await self.run("--help").status == 0)
        #expect(await self.run("help").output == run.output)
    }

    @Test(arguments: ["record", "play", "info", "devices", "session", "demo"])
    func everyCommandExplainsItself(name: String) async throws {
        let help = await run(name, "--help")
        #expect(help.status == 0)
        #expect(help.error.isEmpty)
        #expect(help.output == (await run("help", name)).output)
        #expect(help.output.hasPrefix("Usage: kayit \(name) "))
        let syntax = try #require(Program.commands.first { $0.name == name })
        for option in syntax.options { #expect(help.output.contains("--" + option.name)) }
        #expect(help.output.contains("--json"))
        #expect(help.output.contains("Examples:\n  kayit \(name)"))
        for status in ExitCode.allCases { #expect(help.output.contains("\n  \(status.rawValue) ")) }
        #expect(help.output.split(separator: "\n").allSatisfy { $0.count <= 100 })
    }

    @Test func theVersionIsTold() async {
        #expect(await run("--version").output == "kayit \(HelpText.version)\n")
        #expect(await run("-V").status == 0)
    }

    @Test func wrongLinesEndWith64() async {
        let command = await run("recrod")
        #expect(command.status == 64)
        #expect(command.error.contains("There is no command 'recrod'. Did you mean record?"))
        let option = await run("info", "--jsn", "a.wav")
        #expect(option.status == 64)
        #expect(option.error.contains("Did you mean --json?"))
        #expect(option.error.contains("'kayit info --help'"))
        #expect(option.output.isEmpty)
        #expect(await run("info").status == 64)
        #expect(await run("devices", "extra").status == 64)
        #expect(await run("info", "").status == 64)
    }

    @Test func filesThatCannotBeReadHaveCodesOfTheirOwn() async throws {
        let scratch = try TemporaryFolder()
        let text = scratch.path("text.wav")
        try Data("No sound.\n".utf8).write(to: URL(fileURLWithPath: text))
        #expect(await run("info", scratch.path("missing.wav")).status == 66)
        #expect(await run("info", text).status == 65)
        #expect(await run("play", scratch.path("missing.wav")).status == 66)
        let several = await run("info", "--json", scratch.path("missing.wav"), text)
        #expect(several.status == 66)
        let codes = several.output.split(separator: "\n").compactMap { line in
            (try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?["code"] as? String
        }
        #expect(codes == ["notFound", "malformedMedia"])
    }

    @Test func namesAreEscapedWhereTheyAreShown() async throws {
        let scratch = try TemporaryFolder()
        let run = await run("info", scratch.path("a\u{1B}[2J\nb.wav"))
        #expect(!run.error.contains("\u{1B}"))
        #expect(run.error.contains("a\\u{1B}[2J\\nb.wav"))
        #expect(run.error.filter { $0 == "\n" }.count == 1)
    }

    @Test func failuresHaveTheirCodes() {
        let cases: [(RecordingError.Code, ExitCode, ExitCode)] = [
            (.serverUnavailable, .unavailable, .unavailable), (.deviceUnavailable, .unavailable, .unavailable),
            (.permissionDenied, .permission, .permission), (.notFound, .noInput, .cannotCreate),
            (.alreadyExists, .cannotCreate, .cannotCreate), (.noSpace, .inputOutput, .inputOutput),
            (.malformedMedia, .badData, .badData), (.unsupported, .badData, .usage),
            (.invalidArgument, .usage, .usage), (.internal, .software, .software),
        ]
        for (code, reading, creating) in cases {
            #expect(ExitCode(RecordingError(code, ""), .reading) == reading)
            #expect(ExitCode(RecordingError(code, ""), .creating) == creating)
        }
    }

    @Test func devicesAreFoundByWhatPeopleType() throws {
        func device(_ id: String, _ name: String, monitor: Bool = false) -> AudioDevice {
            AudioDevice(id: id, name: name, isInput: true, isMonitor: monitor, sampleRate: 48_000, channelCount: 1)
        }
        let devices = [
            device("in.usb-1", "USB Microphone"), device("in.pci", "Built-in Audio"),
            device("out.pci.monitor", "Monitor of Built-in Audio", monitor: true), device("in.usb-2", "USB Headset"),
        ]
        func find(_ text: String) throws -> String {
            try DeviceChoice.find(text, among: devices, kind: "microphone").id
        }
        #expect(try find("usb micro") == "in.usb-1")
        #expect(try find("in.usb-2") == "in.usb-2")
        #expect(try find("built-in") == "in.pci")
        #expect(try find("monitor") == "out.pci.monitor")
        let several = #expect(throws: RecordingError.self) { try find("usb") }
        #expect(several?.code == .invalidArgument)
        let none = #expect(throws: RecordingError.self) { try find("airpods") }
        #expect(none?.code == .deviceUnavailable)
        #expect(none?.message.contains("'USB Headset'") == true)
    }
}

/// What was written to the two streams.
private final class SharedText: Sendable {
    private let written = Mutex<[Console.Stream: [UInt8]]>([:])

    func add(_ bytes: [UInt8], to stream: Console.Stream) { written.withLock { $0[stream, default: []] += bytes } }

    func text(_ stream: Console.Stream) -> String {
        String(bytes: written.withLock { $0[stream] ?? [] }, encoding: .utf8) ?? ""
    }
}
