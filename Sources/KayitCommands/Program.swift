import Foundation
import Glibc

/// The program: chooses the command and runs it.
@MainActor
package enum Program {
    package static let commands = [
        RecordOptions.syntax, PlayOptions.syntax, InfoCommand.syntax, JoinCommand.syntax, ConvertCommand.syntax,
        RecoverCommand.syntax, SoundCommand.syntax, DevicesCommand.syntax, SessionCommand.syntax,
        SimulateCommand.syntax,
        DemoCommand.syntax,
    ]

    /// Runs the command line of the process and returns the code to exit with.
    package static func run() async -> Int32 {
        // A reader of our output that goes away must not end a recording, nor a file of the largest size that is allowed
        // end it without a word: both come back as errors of the writing call.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        let console = Console.standard()
        do throws(UsageError) {
            return await run(try FileArgument.commandLine(), console, ProcessInfo.processInfo.environment)
        } catch {
            console.fail(error)
            return ExitCode.usage.rawValue
        }
    }

    package static func run(_ arguments: [String], _ console: Console, _ environment: [String: String]) async -> Int32 {
        do throws(UsageError) {
            return try await dispatch(arguments, console, environment)
        } catch {
            console.fail(error)
            console.remark("'kayit \(helpTopic(arguments))--help' explains the options.")
            return ExitCode.usage.rawValue
        }
    }

    private static func dispatch(_ arguments: [String], _ console: Console, _ environment: [String: String])
        async throws(UsageError) -> Int32
    {
        guard let name = arguments.first else {
            console.layout(HelpText.overview(commands))
            return ExitCode.usage.rawValue
        }
        switch name {
        case "--version", "-V":
            console.layout("kayit \(HelpText.version)\n")
            return ExitCode.success.rawValue
        case "--help", "-h", "help":
            console.layout(
                arguments.count > 1 ? HelpText.text(try syntax(arguments[1])) : HelpText.overview(commands)
            )
            return ExitCode.success.rawValue
        default:
            return try await run(try syntax(name), Array(arguments.dropFirst()), console, environment)
        }
    }

    private static func run(
        _ syntax: CommandSyntax,
        _ arguments: [String],
        _ console: Console,
        _ environment: [String: String]
    ) async throws(UsageError) -> Int32 {
        let parsed = try ParsedArguments(arguments, syntax)
        if parsed.has(CommandSyntax.help) {
            console.layout(HelpText.text(syntax))
            return ExitCode.success.rawValue
        }
        console.isJSON = parsed.has(CommandSyntax.json)
        switch syntax.name {
        case RecordOptions.syntax.name:
            let options = try RecordOptions(parsed)
            return await RecordCommand(options, console, environment: environment).run().status.rawValue
        case PlayOptions.syntax.name:
            return await PlayCommand(try PlayOptions(parsed), console, environment: environment).run()
        case InfoCommand.syntax.name:
            return try InfoCommand(parsed, console).run().rawValue
        case JoinCommand.syntax.name:
            return try JoinCommand(parsed, console).run().rawValue
        case ConvertCommand.syntax.name:
            return try await ConvertCommand(parsed, console).run()
        case RecoverCommand.syntax.name:
            return try RecoverCommand(parsed, console, environment: environment).run().rawValue
        case SoundCommand.syntax.name:
            return await (try SoundCommand(parsed, console)).run()
        case SimulateCommand.syntax.name:
            return try await SimulateCommand(parsed, console).run().rawValue
        case DevicesCommand.syntax.name:
            return await (try DevicesCommand(parsed, console)).run()
        case SessionCommand.syntax.name:
            return try SessionCommand(parsed, console).run().rawValue
        default:
            return await (try DemoCommand(parsed, console, environment: environment)).run()
        }
    }

    private static func syntax(_ name: String) throws(UsageError) -> CommandSyntax {
        if let command = commands.first(where: { $0.name == name }) { return command }
        throw UsageError("There is no command '\(name)'.\(suggestion(for: name, among: commands.map(\.name)))")
    }

    private static func helpTopic(_ arguments: [String]) -> String {
        commands.first { $0.name == arguments.first }.map { $0.name + " " } ?? ""
    }
}
