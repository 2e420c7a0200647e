/// A position in a file or stream, in frames.
public typealias AVAudioFramePosition = Int64

/// A number of frames.
public typealias AVAudioFrameCount = UInt32

/// A number of packets.
public typealias AVAudioPacketCount = UInt32

/// A number of channels.
public typealias AVAudioChannelCount = UInt32
