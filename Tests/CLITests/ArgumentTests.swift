import KayitCommands
import Testing

struct ArgumentTests {
    private static let level = OptionSyntax("level", "l", value: "N", "a number")
    private static let size = OptionSyntax("size", nil, value: "N", "a number")
    private static let loud = OptionSyntax("loud", "L", "a switch")
    private static let syntax = CommandSyntax(
        name: "try",
        summary: "try options",
        operands: "[FILE]",
        operandCount: 0...2,
        options: [level, size, loud],
        examples: []
    )

    private func parse(_ arguments: String...) throws(UsageError) -> ParsedArguments {
        try ParsedArguments(arguments, Self.syntax)
    }

    @Test(arguments: [["--level", "3"], ["--level=3"], ["-l", "3"], ["-l3"], ["-l=3"], ["-l", "9", "--level", "3"]])
    func everyWayToWriteAValue(arguments: [String]) throws {
        #expect(try ParsedArguments(arguments, Self.syntax)[Self.level] == "3")
    }

    @Test func valuesMayLookLikeOptions() throws {
        #expect(try parse("--level", "-1")[Self.level] == "-1")
        #expect(try parse("-l", "--")[Self.level] == "--")
        #expect(try parse("--level=")[Self.level] == "")
        #expect(try parse("--level=a=b")[Self.level] == "a=b")
    }

    @Test func switchesAndOperandsMix() throws {
        let parsed = try parse("a.wav", "-L", "b.wav")
        #expect(parsed.has(Self.loud))
        #expect(parsed.operands == ["a.wav", "b.wav"])
        #expect(try !parse("a.wav").has(Self.loud))
    }

    @Test func behindTwoHyphensEverythingIsAFile() throws {
        #expect(try parse("-L", "--", "-x.wav", "--loud").operands == ["-x.wav", "--loud"])
        #expect(try parse("-").operands == ["-"])
    }

    @Test(arguments: [
        (["--levle", "3"], "try has no option --levle. Did you mean --level?"),
        (["--zzzzzzz"], "try has no option --zzzzzzz."),
        (["-x.wav"], "try has no option -x. A file name that begins with a hyphen goes behind '--'."),
        (["--level"], "--level needs a value: N."),
        (["-l"], "-l needs a value: N."),
        (["--loud=yes"], "--loud takes no value, but 'yes' was given."),
        (["-Lx"], "-L takes no value, but 'x' was given."),
        (["a", "b", "c"], "try takes [FILE], and 'c' is one more."),
    ])
    func wrongLinesSayWhatIsWrong(arguments: [String], message: String) {
        let error = #expect(throws: UsageError.self) { try ParsedArguments(arguments, Self.syntax) }
        #expect(error?.message == message)
    }

    @Test func helpAsksForNothingElse() throws {
        let syntax = CommandSyntax(
            name: "play",
            summary: "",
            operands: "FILE…",
            operandCount: 1...9,
            examples: []
        )
        #expect(try ParsedArguments(["-h"], syntax).has(CommandSyntax.help))
        #expect(throws: UsageError("play needs FILE….")) { try ParsedArguments([], syntax) }
    }

    @Test func numbersHaveRanges() throws {
        #expect(try parse("-l", "0.5").number(Self.level, in: 0...1, unit: "") == 0.5)
        #expect(try parse().number(Self.level, in: 0...1, unit: "") == nil)
        for wrong in ["2", "-0.1", "nan", "inf", "x", "", "1e999", "0,5"] {
            let parsed = try parse("-l", wrong)
            let error = #expect(throws: UsageError.self) { try parsed.number(Self.level, in: 0...1, unit: " dB") }
            #expect(error?.message == "'\(wrong)' is not a value of --level; it is a number from 0 to 1 dB.")
        }
        #expect(try parse("-l", "7").integer(Self.level, in: 1...9, unit: "") == 7)
        for wrong in ["0", "10", "1.5", "99999999999999999999"] {
            let parsed = try parse("-l", wrong)
            #expect(throws: UsageError.self) { try parsed.integer(Self.level, in: 1...9, unit: "") }
        }
    }

    @Test func nearWordsAreSuggested() {
        #expect(suggestion(for: "recrod", among: ["record", "play"]) == " Did you mean record?")
        #expect(suggestion(for: "RECORD", among: ["record"]) == "")
        #expect(suggestion(for: "xyz", among: ["record", "play"]) == "")
        #expect(suggestion(for: "a", among: []) == "")
        #expect(editDistance("kitten", "sitting") == 3)
        #expect(editDistance("ab", "ba") == 1)
        #expect(editDistance("", "abc") == 3)
    }
}
