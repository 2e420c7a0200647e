import AudioCore

/// Where the channels of a sound are to be heard: channels of one speaker.
package struct ChannelAssignment: Sendable, Equatable {
    /// The speaker, by `DeviceDescription.id`.
    package var deviceID: String
    /// For each channel of the sound the channel of the speaker, from 0.
    package var places: [Int]

    package init(deviceID: String, places: [Int]) {
        self.deviceID = deviceID
        self.places = places
    }

    /// For a stream that may have made two channels of one, of which the first is enough then.
    func places(channelCount: Int) -> [Int?] {
        places + [Int?](repeating: nil, count: max(channelCount - places.count, 0))
    }

    /// Refuses another speaker than the one that was chosen.
    func check(against chosen: String?) throws(AudioFailure) {
        guard let chosen, chosen != deviceID else { return }
        throw AudioFailure(.invalidArgument, "The channels of '\(deviceID)' cannot be used on '\(chosen)'.")
    }
}
