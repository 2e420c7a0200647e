import AudioSimulation
import Foundation
import TestSupport

// What several threads do to one program, on simulated devices, until it breaks; for the plain build and for sanitizers.
//
//     CampaignThreads calls SECONDS SEED    everything at random from eight threads
//     CampaignThreads takes COUNT           one take after the other: what is left behind?
//     CampaignThreads players COUNT SEED    short sounds that end, are paused, stopped, sought, let go: is each end told once?
//     CampaignThreads race                  a race made on purpose, which a sanitizer must report
//
// Callbacks come on the main queue, which runs here. Status 0: nothing was found.
let arguments = CommandLine.arguments.dropFirst().map { $0 }
let audio = SimulatedAudio(.init(input: .noise(seed: 1, amplitude: 0.2), time: .real))
audio.install()
let worker = Thread {
    do {
        let folder = try TemporaryFolder()
        let number = arguments.count > 1 ? Int(arguments[1]) ?? 1 : 1
        switch arguments.first {
        case "calls":
            let seed = arguments.count > 2 ? UInt64(arguments[2]) ?? 1 : 1
            try RandomCalls(audio, folder, seed: seed).run(seconds: Double(number))
        case "takes": try ManyTakes(folder).run(count: number)
        case "players":
            let seed = arguments.count > 2 ? UInt64(arguments[2]) ?? 1 : 1
            try PlayerRuns(folder, seed: seed).run(count: number)
        case "race": raceOnPurpose()
        default: throw SetupFailure("calls SECONDS SEED, takes COUNT, or players COUNT SEED")
        }
        // Whatever is left of callbacks comes first.
        DispatchQueue.main.async {
            audio.uninstall()
            exit(0)
        }
    } catch {
        FileHandle.standardError.write(Data("\(error)\n".utf8))
        exit(1)
    }
}
worker.stackSize = 8 << 20
worker.start()
dispatchMain()
