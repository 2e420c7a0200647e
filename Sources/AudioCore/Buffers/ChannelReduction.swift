/// Which channels of the microphone become the recording.
package enum ChannelSelection: String, Sendable, CaseIterable {
    /// A mono recording is the mean of the microphone's channels that are alive; others keep the channels as they are.
    case automatic
    /// The first channel alone, in every channel of the recording.
    case left
    /// The second channel alone, in every channel of the recording.
    case right
    /// The mean of the channels that are alive, in every channel of the recording.
    case mix

    /// The channels to ask the device for, so that the choice is made by us: a sound server would halve a voice whose other
    /// channel is dead.
    package func captureChannels(for recordingChannels: Int) -> Int {
        self == .automatic && recordingChannels > 1 ? recordingChannels : max(recordingChannels, 2)
    }
}

/// Makes the channels of a recording from those of a microphone. Used by one thread, which may be a device thread.
package final class ChannelReduction: @unchecked Sendable {
    // Unchecked: everything belongs to the thread that calls `reduce`.
    package let inputs: Int
    package let outputs: Int
    private let selection: ChannelSelection
    /// The weight of each input now, and where it goes.
    private let weights: UnsafeMutablePointer<Weight>
    private let rampFrames: Int
    private var isFirst = true

    private struct Weight: BitwiseCopyable {
        var value: Float = 0
        var target: Float = 0
        var step: Float = 0
        var steps = 0
    }

    /// - Parameters:
    ///   - inputs: channels of the microphone, 1 or more.
    ///   - outputs: channels of the recording, 1 or more.
    package init(_ selection: ChannelSelection, from inputs: Int, to outputs: Int, sampleRate: Double) {
        precondition(inputs > 0 && outputs > 0 && sampleRate > 0 && sampleRate < 1e9)
        self.inputs = inputs
        self.outputs = outputs
        self.selection = selection
        isIdentity = inputs == outputs && (selection == .automatic || inputs == 1)
        // A change of level in 20 ms makes no click.
        rampFrames = max(Int((sampleRate * 0.02).rounded()), 1)
        weights = .allocate(capacity: inputs)
        weights.initialize(repeating: Weight(), count: inputs)
    }

    deinit { weights.deallocate() }

    /// True where the samples stay as they are.
    package let isIdentity: Bool

    /// Writes `frames` frames of `outputs` channels to `target`.
    /// - Parameter watch: has measured these frames, and knows which channels are alive.
    @_noLocks @_noAllocation
    package func reduce(
        _ source: UnsafePointer<Float>,
        into target: UnsafeMutablePointer<Float>,
        frames: Int,
        watch: SignalWatch
    ) {
        aim(watch)
        var frame = 0
        while frame < frames {
            var sum: Float = 0
            var input = 0
            while input < inputs {
                if weights[input].steps > 0 { step(input) }
                let weight = weights[input].value
                // A silent weight must also silence what is not a number.
                if weight != 0 { sum += weight * source[frame * inputs + input] }
                input += 1
            }
            var output = 0
            while output < outputs {
                target[frame * outputs + output] = sum
                output += 1
            }
            frame += 1
        }
    }

    @_noLocks @_noAllocation
    private func aim(_ watch: SignalWatch) {
        var living = 0
        var input = 0
        while input < inputs {
            if watch.isAlive(input) { living += 1 }
            input += 1
        }
        input = 0
        while input < inputs {
            let target: Float
            switch selection {
            case .left: target = input == 0 ? 1 : 0
            case .right: target = input == (inputs > 1 ? 1 : 0) ? 1 : 0
            case .automatic, .mix:
                if living == 0 {
                    // Nobody speaks: as it was, or at the start all alike.
                    target = isFirst ? 1 / Float(inputs) : weights[input].target
                } else {
                    target = watch.isAlive(input) ? 1 / Float(living) : 0
                }
            }
            turn(input, to: target)
            input += 1
        }
        isFirst = false
    }

    @_noLocks @_noAllocation
    private func turn(_ input: Int, to target: Float) {
        if isFirst {
            weights[input] = Weight(value: target, target: target)
        } else if target != weights[input].target {
            weights[input].target = target
            weights[input].step = (target - weights[input].value) / Float(rampFrames)
            weights[input].steps = rampFrames
        }
    }

    @_noLocks @_noAllocation
    private func step(_ input: Int) {
        weights[input].steps -= 1
        weights[input].value =
            weights[input].steps == 0 ? weights[input].target : weights[input].value + weights[input].step
    }
}
