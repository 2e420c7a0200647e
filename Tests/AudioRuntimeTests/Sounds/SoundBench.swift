import AudioCore
import AudioRuntime
import AudioSimulation
import PlatformLinux
import TestSupport

/// System sounds on simulated devices.
struct SoundBench {
    let host: SimulatedHost
    let desktop = SimulatedDesktop()
    let scratch: TemporaryFolder
    let services: SoundServices

    static let speaker = "simulated.speaker"

    init(_ time: SimulatedConfiguration.Time = .stepped) throws {
        var configuration = SimulatedConfiguration()
        configuration.time = time
        host = SimulatedHost(configuration)
        scratch = try TemporaryFolder()
        let runtime = Runtime(
            devices: host,
            media: .system,
            files: LinuxFileStore(),
            clock: host.clock,
            callbacks: SerialQueueExecutor(label: "test"),
            desktop: desktop
        )
        services = SoundServices { runtime }
    }

    /// A sound of one channel whose frames have the value `value`, out of 32 768.
    func create(_ value: Int16, frames: Int, rate: Int = 48_000) throws -> UInt32 {
        let samples = [Int16](repeating: value, count: frames)
        let path = try scratch.write(WaveFile.bytes(samples, rate: rate), to: "\(value)-\(frames)-\(rate).wav")
        return try services.create(path: path)
    }

    /// What the speaker played on a stream, as stretches of one value, out of 32 768: (value, frames).
    func stretches(_ track: Int = 0) -> [(value: Int, frames: Int)] {
        let tracks = host.tracks
        guard tracks.indices.contains(track) else { return [] }
        let samples = tracks[track].samples
        var found: [(value: Int, frames: Int)] = []
        for index in stride(from: 0, to: samples.count, by: 2) {
            let value = Int((samples[index] * 32_768).rounded())
            if found.last?.value == value { found[found.count - 1].frames += 1 } else { found.append((value, 1)) }
        }
        return found
    }
}
