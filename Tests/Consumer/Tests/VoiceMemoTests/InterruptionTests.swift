import AVFoundation
import AudioSimulation
import Foundation
import Testing
import VoiceMemo

/// What the recorder of the app does when the telephone rings. One after the other: a process has one audio session.
@MainActor
@Suite(.serialized)
struct InterruptionTests {
    /// Runs a scenario around the app, and gives the app and the seconds that it recorded.
    private func run(_ text: String) async throws -> (screen: VoiceMemo.Screen, seconds: Double) {
        let audio = SimulatedAudio(.init(input: .sine(frequency: 440, amplitude: 0.5), time: .stepped))
        audio.install()
        defer { audio.uninstall() }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).m4a")
        defer { try? FileManager.default.removeItem(at: file) }
        let app = VoiceMemo(file: file)
        defer { app.close() }

        let isDone = await audio.run(try SimulationScenario(parsing: text)) { button in
            switch button {
            case .record: try? app.pressRecord()
            case .stop: app.pressStop()
            default: break
            }
        }
        #expect(isDone)
        let screen = app.screen
        app.pressStop()
        let length = try AVAudioFile(forReading: file).length
        return (screen, Double(length) / 44_100)
    }

    @Test func itGoesOnAfterACall() async throws {
        let (screen, seconds) = try await run(
            """
            run 1m
            0s press record
            12s call for 30s, resume
            """
        )
        #expect(screen == .recording)
        #expect(seconds == 30)
    }

    @Test func itWaitsForAPersonAfterTheAssistant() async throws {
        let (screen, seconds) = try await run(
            """
            run 1m
            0s press record
            10s assistant for 5s
            """
        )
        #expect(screen == .interrupted)
        #expect(seconds == 10)
    }

    @Test func thePersonPressesRecord() async throws {
        let (screen, seconds) = try await run(
            """
            run 1m
            0s press record
            10s assistant for 5s
            30s press record
            50s press stop
            """
        )
        #expect(screen == .saved)
        #expect(seconds == 30)
    }

    @Test func headphonesDoNotDisturbIt() async throws {
        var scenario = SimulationScenario(length: .seconds(20))
        scenario.at(.zero, .press(.record))
        scenario.at(.seconds(5), .accessory(.headphones, isConnected: true))
        scenario.at(.seconds(10), .accessory(.headphones, isConnected: false))
        let (screen, seconds) = try await run(scenario.text)
        #expect(screen == .recording)
        #expect(seconds == 20)
    }
}
