import Foundation
import Glibc
import RecordingKit

/// `kayit demo`: the guided first recording.
@MainActor
package struct DemoCommand {
    static let seconds = OptionSyntax("seconds", "s", value: "N", "how long to record (10)")

    package static let syntax = CommandSyntax(
        name: "demo",
        summary: "a guided first recording: record, look at it, hear it",
        options: [seconds],
        notes: [
            """
            On a machine without a sound server or without a microphone, the demo says so and uses
            the simulated device: what it records and plays then is made up.
            """
        ],
        examples: [("kayit demo", "ten seconds from the microphone")]
    )

    private let seconds: Double
    private let console: Console
    private let environment: [String: String]

    package init(_ arguments: ParsedArguments, _ console: Console, environment: [String: String]) throws(UsageError) {
        seconds = try arguments.number(Self.seconds, in: 0.1...3600, unit: " seconds") ?? 10
        self.console = console
        self.environment = environment
    }

    /// Records, tells and plays, and returns the code to exit with.
    package func run() async -> Int32 {
        let isSimulated = environment["KAYIT_AUDIO"] == "simulated"
        if !isSimulated, let lack = Self.lack() { return await runSimulated(because: lack) }

        let length = seconds == seconds.rounded() ? String(Int(seconds)) : fixed(seconds, digits: 1)
        console.remark("Kayıt records \(length) seconds, tells what is in the file, and plays it.")
        if isSimulated {
            console.remark("The device is SIMULATED: nothing is heard, what is recorded is made up.")
        } else {
            console.remark("Say something. The meter shows what the microphone hears.")
        }
        do {
            let recorded = await RecordCommand(try options(), console, environment: folder(isSimulated)).run()
            guard recorded.status == .success, let url = recorded.url else { return recorded.status.rawValue }
            if let signal = recorded.signal { return 128 + signal }

            let told = InfoCommand(files: [url.path], console).run()
            guard told == .success else { return told.rawValue }
            let file = try PlayOptions(ParsedArguments(["--", url.path], PlayOptions.syntax))
            let played = await PlayCommand(file, console, environment: environment).run()
            if played == 0 { console.remark("The recording stays in '\(url.path)'. Next: 'kayit record --help'.") }
            return played
        } catch {
            console.fail(error)
            return ExitCode.usage.rawValue
        }
    }

    private func options() throws(UsageError) -> RecordOptions {
        try RecordOptions(ParsedArguments(["--duration", String(seconds)], RecordOptions.syntax))
    }

    /// Made-up sound does not belong among the notes.
    private func folder(_ isSimulated: Bool) -> [String: String] {
        guard isSimulated, environment["KAYIT_NOTES"] == nil else { return environment }
        return environment.merging([
            "KAYIT_NOTES": FileManager.default.temporaryDirectory.appendingPathComponent("kayit-demo").path
        ]) { $1 }
    }

    /// What keeps this machine from recording and playing; nil where nothing does.
    private static func lack() -> String? {
        do throws(RecordingError) {
            let list = try AudioDeviceList.current()
            if !list.inputs.contains(where: { !$0.isMonitor }) { return "There is no microphone." }
            return list.outputs.isEmpty ? "There is no speaker." : nil
        } catch {
            return error.message
        }
    }

    /// Begins again with the simulated device, which is only ever used by name: the process chose its devices once.
    private func runSimulated(because lack: String) async -> Int32 {
        console.remark(lack)
        console.remark("The demo goes on with the simulated device (KAYIT_AUDIO=simulated).")
        setenv("KAYIT_AUDIO", "simulated", 1)
        var arguments = CommandLine.arguments.map { strdup($0) }
        arguments.append(nil)
        execv("/proc/self/exe", &arguments)
        let error = RecordingError(
            .internal,
            "The program cannot start itself again: \(String(cString: strerror(errno)))."
        )
        console.fail(error)
        return ExitCode.software.rawValue
    }
}
