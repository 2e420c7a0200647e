/// An option that a command understands.
package struct OptionSyntax: Sendable {
    /// The long name without its hyphens.
    package let name: String
    /// The short name without its hyphen.
    package let letter: Character?
    /// What stands for the value in the help text; nil for a switch.
    package let value: String?
    package let help: String

    package init(_ name: String, _ letter: Character? = nil, value: String? = nil, _ help: String) {
        self.name = name
        self.letter = letter
        self.value = value
        self.help = help
    }
}

/// What a command understands, and what its help text says.
package struct CommandSyntax: Sendable {
    package let name: String
    /// One line for the list of commands.
    package let summary: String
    /// How operands are written in the usage line ("[FILE]"); empty where there are none.
    package let operands: String
    package let operandCount: ClosedRange<Int>
    package let options: [OptionSyntax]
    /// Paragraphs behind the options.
    package let notes: [String]
    /// Command lines, each with what it does.
    package let examples: [(line: String, meaning: String)]

    package static let help = OptionSyntax("help", "h", "show this text")
    package static let json = OptionSyntax("json", nil, "JSON on standard output, one object a line, for scripts")

    package init(
        name: String,
        summary: String,
        operands: String = "",
        operandCount: ClosedRange<Int> = 0...0,
        options: [OptionSyntax] = [],
        notes: [String] = [],
        examples: [(line: String, meaning: String)]
    ) {
        self.name = name
        self.summary = summary
        self.operands = operands
        self.operandCount = operandCount
        self.options = options + [Self.json, Self.help]
        self.notes = notes
        self.examples = examples
    }
}

/// A command line that cannot be followed.
package struct UsageError: Error, Sendable, Equatable {
    package var message: String
    package init(_ message: String) { self.message = message }
}
