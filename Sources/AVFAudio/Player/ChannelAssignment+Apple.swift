import AudioCore
import AudioRuntime

extension ChannelAssignment {
    /// - Throws: `invalidArgument` for channels of several ports, or of none.
    init(_ channels: [AVAudioSessionChannelDescription]) throws(AudioFailure) {
        guard let port = channels.first?.owningPortUID, !port.isEmpty,
            channels.allSatisfy({ $0.owningPortUID == port && $0.channelNumber >= 1 })
        else {
            throw AudioFailure(.invalidArgument, "The channels of a sound are heard on channels of one port.")
        }
        self.init(deviceID: port, places: channels.map { $0.channelNumber - 1 })
    }
}
