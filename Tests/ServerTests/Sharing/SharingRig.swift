import AVFAudio
import Foundation
import TestSupport
import Testing

/// A desktop of the test's own: a bus, a sound server whose output plays a tone, and programs that share the sound.
final class SharingRig {
    let bus: PrivateBus
    let server: PrivatePulseServer
    let scratch: TemporaryFolder

    static let rate = 44_100
    private static let frequency = 441.0

    init() throws {
        bus = try PrivateBus()
        // The server's own tone, at the rate of everything else: nothing is resampled, and no client has to keep up.
        server = try PrivatePulseServer(modules: [
            PrivatePulseServer.nullSink("desk", rate: Self.rate, channels: 1),
            "module-sine sink=desk frequency=441",
        ])
        scratch = try TemporaryFolder()
    }

    var environment: [String: String] {
        server.environment.merging(["DBUS_SESSION_BUS_ADDRESS": bus.address, "KAYIT_LOG": "1"]) { $1 }
    }

    /// A program whose session is of a category, not active yet.
    func program(_ category: String) throws -> SharingProgram {
        let program = try SharingProgram(environment)
        let answer = program.order("category " + category)
        if answer != "ok category" { throw SetupFailure("\(answer ?? "No answer"): \(program.errors)") }
        return program
    }

    /// Plays silence as another program does.
    func stream(role: String) throws -> ChildProcess {
        try ChildProcess(
            [
                "pacat", "--playback", "--raw", "--property=media.role=\(role)", "--client-name=other", "--device=desk",
                "/dev/zero",
            ],
            environment: environment
        )
    }

    /// Has the tone heard by a microphone, which is the default from then on. Without it the only source is what the output
    /// plays.
    func addMicrophone() throws {
        try server.control("load-module", "module-remap-source", "master=desk.monitor", "source_name=mic")
        try server.control("set-default-source", "mic")
    }

    /// What is wrong with a recording of the tone: places at which frames are missing or too many, but for those at which it
    /// was paused.
    ///
    /// Ten windows of 441 Hz at 44.1 kHz are 1000 frames: their phase stands still unless frames are lost, and each lost
    /// frame turns it by a hundredth of a turn.
    func jumps(in name: String, pauses: [Int]) throws -> [String] {
        let file = try AVAudioFile(forReading: scratch.file(name))
        let buffer = try #require(
            AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: AVAudioFrameCount(file.length))
        )
        try file.read(into: buffer)
        let samples = try #require(buffer.floatChannelData)[0]
        let count = Int(buffer.frameLength)
        let margin = Self.rate / 20
        var found: [String] = []
        for (start, end) in zip([0] + pauses, pauses + [count]) {
            var first: Double?
            var place = start + margin
            while place + 1_000 <= min(end, count) - 100 {
                let phase = Self.phase(samples + place, from: place)
                let turned = ((phase.angle - (first ?? phase.angle)) / (2 * .pi)).remainder(dividingBy: 1)
                if abs(turned) > 0.004 || phase.amplitude < 0.01 {
                    found.append("\(name): \(turned) turns at frame \(place), amplitude \(phase.amplitude)")
                    break
                }
                first = first ?? phase.angle
                place += 1_000
            }
        }
        return found
    }

    private static func phase(_ samples: UnsafePointer<Float>, from place: Int) -> (angle: Double, amplitude: Double) {
        var (real, imaginary) = (0.0, 0.0)
        for index in 0..<1_000 {
            let angle = 2 * Double.pi * frequency * Double(place + index) / Double(rate)
            real += Double(samples[index]) * cos(angle)
            imaginary += Double(samples[index]) * sin(angle)
        }
        return (atan2(real, imaginary), 2 * (real * real + imaginary * imaginary).squareRoot() / 1_000)
    }
}
