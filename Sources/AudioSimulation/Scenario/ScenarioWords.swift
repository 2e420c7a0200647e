/// The words of one line of a scenario, taken from left to right.
struct ScenarioWords {
    struct Word {
        var text: Substring
        var column: Int
    }

    private let number: Int
    private var words: [Word] = []
    private var next = 0
    private let endColumn: Int

    /// Commas are words of their own.
    init(_ line: Substring, number: Int) {
        self.number = number
        var column = 1
        var start: (index: Substring.Index, column: Int)?
        var found: [Word] = []
        var last = line.endIndex
        for index in line.indices {
            let character = line[index]
            if character == "#" {
                last = index
                break
            }
            if character.isWhitespace || character == "," {
                if let (from, place) = start { found.append(Word(text: line[from..<index], column: place)) }
                start = nil
                if character == "," { found.append(Word(text: line[index...index], column: column)) }
            } else if start == nil {
                start = (index, column)
            }
            column += 1
        }
        if let (from, place) = start { found.append(Word(text: line[from..<last], column: place)) }
        words = found
        endColumn = column
    }

    var peek: Word? { next < words.count ? words[next] : nil }

    mutating func take() -> Word? {
        defer { next += 1 }
        return peek
    }

    /// An error at the word that comes next.
    func error(_ message: String) -> SimulationScenario.ParseError {
        SimulationScenario.ParseError(line: number, column: peek?.column ?? endColumn, message: message)
    }

    /// Takes the word that comes next if it is this one.
    mutating func takes(_ text: String) -> Bool {
        guard peek?.text == text[...] else { return false }
        next += 1
        return true
    }

    mutating func expect(_ text: String) throws(SimulationScenario.ParseError) {
        if !takes(text) { throw error("'\(text)' is missing here.") }
    }

    mutating func end() throws(SimulationScenario.ParseError) {
        if let word = peek { throw error("'\(word.text)' is too much.") }
    }

    /// One of several words.
    mutating func choice<Choice>(_ choices: [(String, Choice)]) throws(SimulationScenario.ParseError) -> Choice {
        if let word = peek, let choice = choices.first(where: { $0.0 == word.text }) {
            next += 1
            return choice.1
        }
        let names = choices.map { "'\($0.0)'" }.joined(separator: ", ")
        throw error("One of these is missing here: \(names).")
    }

    mutating func integer(_ range: ClosedRange<Int64>, _ what: String) throws(SimulationScenario.ParseError) -> Int64 {
        guard let word = peek, let value = Int64(word.text), range.contains(value) else {
            throw error("\(what) is missing here, \(range.lowerBound) … \(range.upperBound).")
        }
        next += 1
        return value
    }

    mutating func number(_ range: ClosedRange<Double>, _ what: String) throws(SimulationScenario.ParseError) -> Double {
        guard let word = peek, let value = Double(word.text), range.contains(value) else {
            throw error("\(what) is missing here, \(range.lowerBound) … \(range.upperBound).")
        }
        next += 1
        return value
    }

    private static let units: [(name: String, nanoseconds: Int64)] = [
        ("h", 3_600_000_000_000), ("m", 60_000_000_000), ("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1000),
        ("ns", 1),
    ]

    /// "1h30m", "250ms": whole numbers with units, the greater first.
    mutating func duration() throws(SimulationScenario.ParseError) -> Duration {
        guard let word = peek else { throw error("A time is missing here, such as 90s or 1h30m.") }
        var rest = word.text
        var total: Int64 = 0
        var allowed = Self.units[...]
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            let unit = rest.dropFirst(digits.count).prefix { $0.isLetter }
            guard let value = Int64(digits), let index = allowed.firstIndex(where: { $0.name == unit }) else {
                throw error("'\(word.text)' is no time; 90s and 1h30m are.")
            }
            let (product, isTooLong) = value.multipliedReportingOverflow(by: allowed[index].nanoseconds)
            let (sum, isTooLongInAll) = total.addingReportingOverflow(product)
            let longest = SimulationScenario.longest
            guard !isTooLong, !isTooLongInAll, .nanoseconds(sum) <= longest else {
                throw error("Times are at most \(longest.scenarioText).")
            }
            total = sum
            allowed = allowed[(index + 1)...]
            rest = rest.dropFirst(digits.count + unit.count)
        }
        next += 1
        return .nanoseconds(total)
    }
}
