import AVFoundation
import RecordingKit

/// `kayit sound`.
@MainActor
package struct SoundCommand {
    static let list = OptionSyntax("list", "l", "list the desktop's sounds, and the numbers of Apple's")
    static let alert = OptionSyntax("alert", "a", "as an alert: a phone vibrates, too")

    package static let syntax = CommandSyntax(
        name: "sound",
        summary: "play short sounds: files, or sounds of the desktop by name or number",
        operands: "FILE|NAME|NUMBER…",
        operandCount: 0...Int.max,
        options: [list, alert],
        notes: [
            """
            A sound has 30 seconds at most; 'kayit play' plays longer files. Names are those of the desktop's sound
            theme, numbers those of Apple's system sounds: each stands for a name of the theme. Where the theme has
            nothing for a number, nothing is heard. What names a file that is there is taken as a file; a file called
            like a number is './1108'.
            """
        ],
        examples: [
            ("kayit sound ding.wav", "play a file"),
            ("kayit sound camera-shutter", "the theme's sound of a camera"),
            ("kayit sound 1108", "the same by Apple's number"),
            ("kayit sound --list", "what there is"),
        ]
    )

    private enum Operand {
        case file(URL)
        case number(SystemSoundID)
    }

    private let operands: [String]
    private let isList: Bool
    private let isAlert: Bool
    private let console: Console

    package init(_ arguments: ParsedArguments, _ console: Console) throws(UsageError) {
        operands = arguments.operands
        isList = arguments.has(Self.list)
        isAlert = arguments.has(Self.alert)
        self.console = console
        if operands.isEmpty, !isList { throw UsageError("sound needs \(Self.syntax.operands), or --list.") }
    }

    /// Lists or plays, and returns the code to exit with: that of the first sound that could not be played.
    package func run() async -> Int32 {
        if isList { list() }
        var status = ExitCode.success
        for operand in operands {
            do throws(RecordingError) {
                try await play(operand)
            } catch {
                console.fail(error)
                // A sound that is too long is no failure of a disk: it was asked of the wrong command.
                if status == .success { status = error.code == .limitReached ? .usage : ExitCode(error, .reading) }
                // Without a server or a speaker the next one sounds no better.
                if status == .unavailable { break }
            }
        }
        return status.rawValue
    }

    private func play(_ operand: String) async throws(RecordingError) {
        console.record(SoundLine(event: "started", sound: operand))
        switch try meaning(operand) {
        case .file(let url): try await DesktopSounds.play(contentsOf: url, isAlert: isAlert)
        case .number(let id):
            if let reason = silence(of: id) { console.remark(reason) }
            try await DesktopSounds.play(id, isAlert: isAlert)
        }
        console.record(SoundLine(event: "finished", sound: operand))
    }

    private func meaning(_ operand: String) throws(RecordingError) -> Operand {
        let file: URL
        do throws(UsageError) { file = try FileArgument.url(operand) } catch {
            throw RecordingError(.invalidArgument, error.message)
        }
        let isThere = FileManager.default.fileExists(atPath: file.path)
        if !isThere, operand.allSatisfy(\.isASCIIDigit) {
            guard let id = SystemSoundID(operand), id > 0, id <= kSystemSoundID_UserPreferredAlert else {
                throw RecordingError(
                    .invalidArgument,
                    "\(operand) is no number of a system sound: they go from 1 to \(kSystemSoundID_UserPreferredAlert)."
                )
            }
            return .number(id)
        }
        if isThere || operand.contains("/") { return .file(file) }
        if let url = DesktopSounds.url(named: operand) { return .file(url) }
        let names = DesktopSounds.all.map(\.name)
        throw RecordingError(
            .notFound,
            "There is neither a file '\(operand)' nor a sound of that name in the desktop's theme."
                + (names.isEmpty
                    ? " No sound theme is installed (Debian: sound-theme-freedesktop)."
                    : suggestion(for: operand, among: names)),
            path: operand
        )
    }

    /// Why nothing is heard of a number; nil where something is.
    private func silence(of id: SystemSoundID) -> String? {
        guard let sound = DesktopSounds.numbered.first(where: { $0.id == id }) else {
            return "Apple's systems have no sound \(id): nothing is heard."
        }
        guard let name = sound.name else { return "\(id) (\(sound.title)): a desktop has no sound for it." }
        return sound.url == nil ? "\(id) (\(sound.title)): the desktop's theme has no '\(name)'." : nil
    }

    private func list() {
        let sounds = DesktopSounds.all
        let numbered = DesktopSounds.numbered
        for sound in sounds { console.record(ListLine(name: sound.name, path: sound.url.path)) }
        for sound in numbered {
            let line = ListLine(name: sound.name, path: sound.url?.path, number: sound.id, title: sound.title)
            console.record(line)
        }
        if console.isJSON { return }
        var text = "Sounds of the desktop:\n"
        if sounds.isEmpty { text += "  none (Debian: sound-theme-freedesktop)\n" }
        for sound in sounds { text += "  \(sound.name.printable)\n" }
        text += "\nNumbers of Apple's system sounds:\n"
        for sound in numbered {
            let played = sound.url == nil ? "–" : sound.name ?? "–"
            text += "  \(sound.id)  \(sound.title): \(console.isUnicode || sound.url != nil ? played : "-")\n"
        }
        console.layout(text)
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}

/// What `sound --json` prints while it plays.
private struct SoundLine: Encodable {
    var event: String
    var sound: String
}

/// What `sound --list --json` prints.
private struct ListLine: Encodable {
    var event = "sound"
    var name: String?
    var path: String?
    var number: UInt32?
    var title: String?
}
