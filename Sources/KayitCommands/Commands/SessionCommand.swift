import Foundation
import RecordingKit

/// `kayit session`.
@MainActor
package struct SessionCommand {
    package static let syntax = CommandSyntax(
        name: "session",
        summary: "show who has the sound, and what would be interrupted",
        notes: [
            "Sessions are those of programs that use this library; players are those of the desktop.",
            "Also shows the default devices, and whether recording is allowed. Interrupts nobody.",
        ],
        examples: [
            ("kayit session", "who has the sound?"),
            ("kayit session --json | jq -r '.interruptible[]'", "what would be paused"),
        ]
    )

    private let console: Console

    package init(_ arguments: ParsedArguments, _ console: Console) throws(UsageError) { self.console = console }

    /// Shows everything and returns the code to exit with: that of the devices where the sound server does not answer.
    package func run() -> ExitCode {
        let sharing = AudioSharing.current()
        var devices: AudioDeviceList?
        var failure: RecordingError?
        do throws(RecordingError) { devices = try AudioDeviceList.current() } catch { failure = error }
        let line = SessionLine(sharing, devices, failure)
        console.record(line)
        if !console.isJSON { console.layout(SessionText.text(sharing, devices, line.permission)) }
        guard let failure else { return .success }
        console.fail(failure)
        return ExitCode(failure, .devices)
    }
}

/// Sessions in words.
enum SessionText {
    static func text(_ sharing: AudioSharing, _ devices: AudioDeviceList?, _ permission: String) -> String {
        var lines: [String] = []
        let holder = sharing.sessions.first { $0.standing == .holds }
        lines.append("Session:     " + (holder.map(session) ?? (sharing.obstacle ?? "nobody holds the sound")))
        lines += sharing.sessions.filter { $0.standing == .waits }.map { "waiting:     " + session($0) }
        lines += sharing.sessions.filter { $0.standing == .beside }.map { "beside:      " + session($0) }
        lines += sharing.players.map { "Player:      \($0.name), \($0.isPlaying ? "playing" : "not playing")" }
        lines += sharing.streams.map { "Stream:      " + stream($0) }
        lines.append("Input:       " + (name(devices?.inputs) ?? "none"))
        lines.append("Output:      " + (name(devices?.outputs) ?? "none"))
        lines.append("Recording:   \(permission)")
        let interruptible = sharing.interruptible
        lines.append(
            "Interrupts:  "
                + (sharing.isCallGoingOn
                    ? "nobody: there is a call, which cannot be interrupted"
                    : interruptible.isEmpty ? "nobody" : interruptible.joined(separator: ", "))
        )
        return lines.map { $0.printable + "\n" }.joined()
    }

    private static func session(_ session: AudioSharing.Session) -> String {
        let program = session.program.isEmpty ? "a program that does not answer" : session.program
        var parts = [session.processID.map { "\(program) (\($0))" } ?? program]
        let uses = [session.mayRecord ? "record" : nil, session.mayPlay ? "play" : nil].compactMap { $0 }
        if !uses.isEmpty { parts.append("may " + uses.joined(separator: " and ")) }
        parts.append(session.isCall ? "a call" : manner(session.manner))
        return parts.joined(separator: ", ")
    }

    private static func manner(_ manner: AudioSharing.Session.Manner) -> String {
        switch manner {
        case .exclusive: "interrupts others"
        case .mixing: "mixes"
        case .ducking: "makes others quieter"
        case .interruptingSpeech: "makes others quieter and interrupts speech"
        }
    }

    private static func stream(_ stream: AudioSharing.Stream) -> String {
        var parts = [stream.program ?? "a program without a name", stream.isInput ? "recording" : "playing"]
        if let role = stream.role { parts.append(role) }
        if stream.isPaused { parts.append("paused") }
        return parts.joined(separator: ", ")
    }

    private static func name(_ devices: [AudioDevice]?) -> String? {
        devices?.first(where: \.isDefault).map { "\($0.name) (\($0.isMonitor ? "monitor" : $0.port))" }
    }
}

/// What `session --json` prints.
private struct SessionLine: Encodable {
    struct Session: Encodable {
        var program, standing, manner: String
        var processID: Int?
        var mayRecord, mayPlay, isCall: Bool
    }

    struct Player: Encodable {
        var name: String
        var isPlaying: Bool
    }

    struct Stream: Encodable {
        var program, role: String?
        var isInput, isPaused: Bool
    }

    struct Device: Encodable {
        var id, name, port: String

        init?(_ devices: [AudioDevice]?) {
            guard let device = devices?.first(where: \.isDefault) else { return nil }
            (id, name, port) = (device.id, device.name, device.isMonitor ? "monitor" : device.port)
        }
    }

    var obstacle: String?
    var sessions: [Session]
    var players: [Player]
    var streams: [Stream]
    var input, output: Device?
    var inputs, outputs: [String]
    var permission: String
    var isCallGoingOn: Bool
    var interruptible: [String]

    init(_ sharing: AudioSharing, _ devices: AudioDeviceList?, _ failure: RecordingError?) {
        obstacle = sharing.obstacle
        sessions = sharing.sessions.map {
            Session(
                program: $0.program,
                standing: $0.standing.rawValue,
                manner: $0.manner.rawValue,
                processID: $0.processID,
                mayRecord: $0.mayRecord,
                mayPlay: $0.mayPlay,
                isCall: $0.isCall
            )
        }
        players = sharing.players.map { Player(name: $0.name, isPlaying: $0.isPlaying) }
        streams = sharing.streams.map {
            Stream(program: $0.program, role: $0.role, isInput: $0.isInput, isPaused: $0.isPaused)
        }
        input = Device(devices?.inputs)
        output = Device(devices?.outputs)
        inputs = devices?.inputs.map(\.id) ?? []
        outputs = devices?.outputs.map(\.id) ?? []
        permission = devices != nil ? "granted" : failure?.code == .permissionDenied ? "denied" : "undetermined"
        isCallGoingOn = sharing.isCallGoingOn
        interruptible = sharing.interruptible
    }
}
