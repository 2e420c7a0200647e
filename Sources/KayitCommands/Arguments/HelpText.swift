/// The texts of `--help` and `--version`.
package enum HelpText {
    package static let version = "0.1.0"

    /// The list of commands.
    package static func overview(_ commands: [CommandSyntax]) -> String {
        let width = (commands.map(\.name.count).max() ?? 0) + 2
        return """
            Usage: kayit COMMAND [OPTIONS] [FILE…]

            Records from a microphone into files that are complete at every moment, plays them, and tells what is in them.

            Commands:
            \(commands.map { "  " + padded($0.name, width) + $0.summary }.joined(separator: "\n"))

            'kayit COMMAND --help' explains a command, 'kayit --version' tells the version.

            Environment:
              KAYIT_AUDIO=pulse|alsa|simulated  the device layer; without it, the sound server
              KAYIT_SIMULATED_INPUT=FILE        what the simulated microphone hears; without it, a made-up voice
              KAYIT_NOTES=FOLDER                where recordings without a name go; without it, ~/Recordings

            \(exitCodes)

            """
    }

    /// Everything about one command.
    package static func text(_ command: CommandSyntax) -> String {
        let heads = command.options.map(head)
        let width = (heads.map(\.count).max() ?? 0) + 2
        let options = zip(heads, command.options).map { "  " + padded($0, width) + $1.help }
        let examples = command.examples.map { "  \($0.line)\n      \($0.meaning)" }
        var sections = [
            "Usage: kayit \(command.name) [OPTIONS]" + (command.operands.isEmpty ? "" : " " + command.operands),
            command.summary.prefix(1).uppercased() + command.summary.dropFirst() + ".",
            "Options:\n" + options.joined(separator: "\n"),
        ]
        sections += command.notes
        sections.append("Examples:\n" + examples.joined(separator: "\n"))
        sections.append(exitCodes)
        return sections.joined(separator: "\n\n") + "\n"
    }

    private static var exitCodes: String {
        let lines = ExitCode.allCases.map { "  " + padded(String($0.rawValue), 5) + $0.meaning }
        return "Exit codes:\n" + lines.joined(separator: "\n")
            + "\n  128+N  playing or watching was ended by signal N (130 after Ctrl-C)"
    }

    private static func head(_ option: OptionSyntax) -> String {
        let letter = option.letter.map { "-\($0), " } ?? "    "
        return letter + "--" + option.name + (option.value.map { " " + $0 } ?? "")
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(width - text.count, 1))
    }
}
