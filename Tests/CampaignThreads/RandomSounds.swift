import AVFAudio
import Foundation
import Synchronization
import TestSupport

/// System sounds that several threads create, play and dispose of at once.
final class RandomSounds: Sendable {
    private let file: URL
    private let sounds = Mutex<[SystemSoundID]>([])
    private let played = Atomic<Int>(0)
    private let completed = Atomic<Int>(0)

    init(_ folder: TemporaryFolder) throws {
        let tone = WaveFile.tone(660, frames: 2_000, rate: 44_100, amplitude: 0.1)
        file = URL(fileURLWithPath: try folder.write(tone, to: "ding.wav"))
    }

    func call(_ random: inout SeededGenerator) {
        let some = sounds.withLock { $0.randomElement(using: &random) } ?? kSystemSoundID_Vibrate
        switch Int.random(in: 0..<8, using: &random) {
        case 0, 1:
            var id: SystemSoundID = 0
            if AudioServicesCreateSystemSoundID(file as CFURL, &id) == kAudioServicesNoError {
                sounds.withLock { $0.append(id) }
            }
        case 2:
            sounds.withLock { $0.removeAll { $0 == some } }
            AudioServicesDisposeSystemSoundID(some)
        case 3: AudioServicesAddSystemSoundCompletion(some, nil, nil, { _, _ in }, nil)
        case 4: AudioServicesRemoveSystemSoundCompletion(some)
        case 5: AudioServicesPlayAlertSound(some)
        default:
            played.add(1, ordering: .relaxed)
            AudioServicesPlaySystemSoundWithCompletion(some) { [self] in completed.add(1, ordering: .relaxed) }
        }
    }

    /// Waits until every call has been completed.
    func settle() throws {
        let isDone = eventually(within: 30) { completed.load(ordering: .relaxed) == played.load(ordering: .relaxed) }
        let counts = "\(completed.load(ordering: .relaxed)) of \(played.load(ordering: .relaxed))"
        if !isDone { throw SetupFailure("\(counts) system sounds were completed.") }
        for id in sounds.withLock({ $0 }) { AudioServicesDisposeSystemSoundID(id) }
    }
}
