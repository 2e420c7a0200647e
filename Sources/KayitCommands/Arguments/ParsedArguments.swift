/// A command line taken apart by a command's syntax.
///
/// `--name value`, `--name=value`, `-n value`, `-nvalue` and `-n=value` are the same; the last of several wins. Everything
/// behind `--` is an operand. An option that wants a value takes the next argument whatever it looks like, so that
/// `--pan -1` works.
package struct ParsedArguments: Sendable, Equatable {
    package private(set) var operands: [String] = []
    private var values: [String: String] = [:]
    private var switches: Set<String> = []

    package init(_ arguments: [String], _ syntax: CommandSyntax) throws(UsageError) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" {
                operands += rest
                break
            } else if argument.hasPrefix("--") {
                try takeLong(argument.dropFirst(2), &rest, syntax)
            } else if argument.hasPrefix("-"), argument.count > 1 {
                try takeShort(argument.dropFirst(), &rest, syntax)
            } else {
                operands.append(argument)
            }
        }
        if self.has(CommandSyntax.help) { return }
        if operands.count < syntax.operandCount.lowerBound {
            throw UsageError("\(syntax.name) needs \(syntax.operands).")
        }
        if operands.count > syntax.operandCount.upperBound {
            throw UsageError(
                syntax.operandCount.upperBound == 0
                    ? "\(syntax.name) takes no '\(operands[0])'."
                    : "\(syntax.name) takes \(syntax.operandCount.upperBound == 1 ? "one file" : syntax.operands), and"
                        + " '\(operands[syntax.operandCount.upperBound])' is one more."
            )
        }
    }

    package func has(_ option: OptionSyntax) -> Bool { switches.contains(option.name) }

    package subscript(_ option: OptionSyntax) -> String? { values[option.name] }

    private mutating func takeLong(
        _ text: Substring,
        _ rest: inout ArraySlice<String>,
        _ syntax: CommandSyntax
    ) throws(UsageError) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard let option = syntax.options.first(where: { $0.name == name }) else {
            let known = syntax.options.map { "--" + $0.name }
            throw UsageError("\(syntax.name) has no option --\(name).\(suggestion(for: "--" + name, among: known))")
        }
        try take(option, written: "--" + name, attached: parts.count > 1 ? String(parts[1]) : nil, &rest)
    }

    private mutating func takeShort(
        _ text: Substring,
        _ rest: inout ArraySlice<String>,
        _ syntax: CommandSyntax
    ) throws(UsageError) {
        guard let letter = text.first, let option = syntax.options.first(where: { $0.letter == letter }) else {
            throw UsageError(
                "\(syntax.name) has no option -\(text.prefix(1))."
                    + " A file name that begins with a hyphen goes behind '--'."
            )
        }
        var attached = text.dropFirst()
        if attached.first == "=" { attached = attached.dropFirst() }
        let value = text.count > 1 ? String(attached) : nil
        try take(option, written: "-\(letter)", attached: value, &rest)
    }

    private mutating func take(
        _ option: OptionSyntax,
        written: String,
        attached: String?,
        _ rest: inout ArraySlice<String>
    ) throws(UsageError) {
        guard let meaning = option.value else {
            if let attached { throw UsageError("\(written) takes no value, but '\(attached)' was given.") }
            switches.insert(option.name)
            return
        }
        guard let value = attached ?? rest.popFirst() else { throw UsageError("\(written) needs a value: \(meaning).") }
        values[option.name] = value
    }
}

extension ParsedArguments {
    /// The option's value as a number of `range`, nil where it was not given.
    package func number(_ option: OptionSyntax, in range: ClosedRange<Double>, unit: String) throws(UsageError)
        -> Double?
    {
        guard let text = self[option] else { return nil }
        guard let value = Double(text), range.contains(value) else {
            throw invalid(option, text, "a number from \(plain(range.lowerBound)) to \(plain(range.upperBound))\(unit)")
        }
        return value
    }

    /// The option's value as a whole number of `range`, nil where it was not given.
    package func integer(_ option: OptionSyntax, in range: ClosedRange<Int>, unit: String) throws(UsageError) -> Int? {
        guard let text = self[option] else { return nil }
        guard let value = Int(text), range.contains(value) else {
            throw invalid(option, text, "a whole number from \(range.lowerBound) to \(range.upperBound)\(unit)")
        }
        return value
    }

    /// The option's value as seconds, written as a number with `s`, `m` or `h` behind it, or a plain number of seconds; nil
    /// where it was not given.
    package func duration(_ option: OptionSyntax, in range: ClosedRange<Double>) throws(UsageError) -> Double? {
        guard let text = self[option] else { return nil }
        let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600]
        let unit = text.last.flatMap { units[$0] }
        guard let number = Double(unit == nil ? text : String(text.dropLast())),
            range.contains(number * (unit ?? 1))
        else {
            throw invalid(
                option,
                text,
                "a time such as 30s, 5m or 1h, from \(plain(range.lowerBound)) to \(plain(range.upperBound)) seconds"
            )
        }
        return number * (unit ?? 1)
    }

    /// The option's value as one of some words, nil where it was not given.
    package func choice<Choice>(_ option: OptionSyntax) throws(UsageError) -> Choice?
    where Choice: RawRepresentable<String> & CaseIterable {
        guard let text = self[option] else { return nil }
        guard let value = Choice(rawValue: text.lowercased()) else {
            let words = Choice.allCases.map(\.rawValue)
            throw UsageError(
                "'\(text)' is not a value of --\(option.name); it is one of \(words.joined(separator: ", "))."
                    + suggestion(for: text, among: words)
            )
        }
        return value
    }

    private func invalid(_ option: OptionSyntax, _ text: String, _ allowed: String) -> UsageError {
        UsageError("'\(text)' is not a value of --\(option.name); it is \(allowed).")
    }

    private func plain(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : String(value)
    }
}
