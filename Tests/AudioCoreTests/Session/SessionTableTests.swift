import AudioCore
import Testing

/// Every category with every mode and with no option, each option and each pair, and every event upon it, against the tables
/// in `SessionTable`.
@Suite struct SessionTableTests {
    private typealias Table = [String: [String]]

    /// Rows by their first word; the head row under "".
    private static func rows(_ text: String) -> Table {
        var table: Table = [:]
        for (number, line) in text.split(separator: "\n").enumerated() {
            let words = line.split(separator: " ").map(String.init)
            table[number == 0 ? "" : words[0]] = number == 0 ? words : Array(words.dropFirst())
        }
        return table
    }

    private static let modes = rows(SessionTable.modes)
    private static let options = rows(SessionTable.options)

    private static func cell(_ table: Table, _ row: String, _ category: SessionCategory) throws -> String {
        let column = try #require(table[""]?.firstIndex(of: category.rawValue))
        return try #require(table[row])[column]
    }

    /// Every set of at most two options.
    private static let optionSets: [SessionOptions] = {
        let single = SessionOptions.named.map(\.option)
        let pairs = single.indices.flatMap { first in single[..<first].map { $0.union(single[first]) } }
        return [[]] + single + pairs
    }()

    private static func isAllowed(_ configuration: SessionConfiguration) throws -> Bool {
        let category = configuration.category
        func holds(_ cell: String) -> Bool {
            cell.split(separator: "+").allSatisfy { word in
                switch word {
                case "yes": true
                case "default": configuration.mode == .default
                case "dual": configuration.mode == .dualRoute
                case "HFP": configuration.options.contains(.allowBluetoothHFP)
                default: false
                }
            }
        }
        guard holds(try cell(modes, configuration.mode.rawValue, category)) else { return false }
        for (option, name) in SessionOptions.named where configuration.options.contains(option) {
            guard holds(try cell(options, name, category)) else { return false }
        }
        return true
    }

    private static func everyConfiguration() -> [SessionConfiguration] {
        SessionCategory.allCases.flatMap { category in
            SessionMode.allCases.flatMap { mode in
                optionSets.map { SessionConfiguration(category: category, mode: mode, options: $0) }
            }
        }
    }

    @Test func everyCombinationIsTakenOrRefusedAsWritten() throws {
        var (taken, refused) = (0, 0)
        for configuration in Self.everyConfiguration() {
            let isAllowed = try Self.isAllowed(configuration)
            if isAllowed { taken += 1 } else { refused += 1 }
            if (SessionPolicy.refusal(of: configuration) == nil) != isAllowed {
                Issue.record("\(configuration): the table says \(isAllowed ? "taken" : "refused")")
            }
        }
        #expect(taken + refused == 6 * 11 * 56)
        #expect(taken > 500)
    }

    private static func manner(_ configuration: SessionConfiguration) throws -> String {
        for line in SessionTable.manners.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            let isMeant =
                words[0] == "category"
                ? configuration.category.rawValue == words[1]
                : SessionOptions.named.contains { $0.name == words[1] && configuration.options.contains($0.option) }
            if isMeant { return words[2] }
        }
        throw TableFailure()
    }

    private struct TableFailure: Error {}

    @Test func everyCombinationClaimsAsWritten() throws {
        for configuration in Self.everyConfiguration() where try Self.isAllowed(configuration) {
            let manner = try Self.manner(configuration)
            var machine = SessionMachine()
            #expect(machine.handle(.configure(configuration)) == [])
            let effects = machine.handle(.activate(.program)).map(Self.words)
            if effects != ["claim \(manner)"] { Issue.record("\(configuration): \(effects), the table says \(manner)") }
        }
    }

    /// The event's name, what comes before it and what is told, of each row.
    private static let events: [(name: String, before: [SessionMachine.Input], input: SessionMachine.Input)] = {
        var events: [(String, [SessionMachine.Input], SessionMachine.Input)] = []
        for kind in SessionInterruption.allCases where kind != .routeDisconnected {
            events.append(("\(kind) began", [], .began(kind)))
            events.append(("\(kind) ended", [.began(kind)], .ended(kind, shouldResume: false)))
            events.append(("\(kind) ended to resume", [.began(kind)], .ended(kind, shouldResume: true)))
        }
        events.append(("headphones out", [], .routeChanged(.oldDeviceGone, outputIsGone: true, isPlaying: true)))
        events.append(("device in", [], .routeChanged(.newDevice, outputIsGone: false, isPlaying: true)))
        events.append(("others primary", [], .othersChanged(OtherAudio(isPlaying: true, isPrimary: true))))
        events.append(("services lost", [], .servicesLost))
        return events
    }()

    /// Events by name: what a session that silences others does, and what one beside others does.
    private static let answers: [String: [String]] = Dictionary(
        uniqueKeysWithValues: SessionTable.events.split(separator: "\n").dropFirst().map { line in
            let cells = line.split(separator: "|").map { cell in
                String(cell.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
            }
            return (cells[0], Array(cells.dropFirst()))
        }
    )

    @Test func everyEventUponEveryCombinationIsAnsweredAsWritten() throws {
        #expect(Self.answers.count == Self.events.count)
        var checked = 0
        for configuration in Self.everyConfiguration() where try Self.isAllowed(configuration) {
            for event in Self.events {
                let row = try #require(Self.answers[event.name], "\(event.name)")
                let expected = Self.expected(
                    try Self.manner(configuration) == "exclusive" ? row[0] : row[1],
                    configuration
                )
                var machine = SessionMachine()
                _ = machine.handle(.configure(configuration))
                _ = machine.handle(.activate(.program))
                for input in event.before { _ = machine.handle(input) }
                let effects = machine.handle(event.input).map(Self.words)
                checked += 1
                if effects != expected { Issue.record("\(event.name), \(configuration): \(effects), not \(expected)") }
            }
        }
        #expect(checked > 500 * 20)
    }

    /// What the cell says for this configuration.
    private static func expected(_ cell: String, _ configuration: SessionConfiguration) -> [String] {
        for choice in cell.split(separator: ";").map({ $0.drop { $0 == " " } }) {
            let parts = choice.split(separator: ":").map { $0.drop { $0 == " " } }
            let isMeant =
                switch parts.count == 2 ? parts[0] : "" {
                case "speech": isSpeech(configuration)
                case "microphone": mutes(configuration)
                case "Playback": configuration.category == .playback
                default: true
                }
            if isMeant { return parts.last == "-" ? [] : (parts.last ?? "").split(separator: ",").map(String.init) }
        }
        return []
    }

    /// Speaks, so that others who speak interrupt it rather than mix.
    private static func isSpeech(_ configuration: SessionConfiguration) -> Bool {
        configuration.mode == .spokenAudio && configuration.category != .record
    }

    /// Records, and has not asked to go on with a muted microphone.
    private static func mutes(_ configuration: SessionConfiguration) -> Bool {
        [.record, .playAndRecord, .multiRoute].contains(configuration.category)
            && !configuration.options.contains(.overrideMutedMicrophone)
    }

    private static func words(_ effect: SessionMachine.Effect) -> String {
        switch effect {
        case .claim(let claim): "claim \(claim.manner)"
        case .giveBack(let notifying): "give back \(notifying)"
        case .refuse(let refusal): "refuse \(refusal)"
        case .interrupt: "pause"
        case .pausePlayers: "pause players"
        case .lower(let isLowered): "lower \(isLowered)"
        case .tell(let notice):
            switch notice {
            case .interruptionBegan(.suspended): "began 1"
            case .interruptionBegan(.microphoneMuted): "began 2"
            case .interruptionBegan(.routeDisconnected): "began 4"
            case .interruptionBegan: "began 0"
            case .interruptionEnded(let shouldResume): "ended \(shouldResume ? 1 : 0)"
            case .silenceHint(let isOn): "hint \(isOn ? 1 : 0)"
            case .routeChanged: "route"
            case .servicesLost: "lost"
            case .servicesReset: "reset"
            }
        }
    }
}
