// Flags of formats, from CoreAudioBaseTypes.h.

/// Floating point; clear for integers.
public let kAudioFormatFlagIsFloat: AudioFormatFlags = 1 << 0
/// Big endian; clear for little endian.
public let kAudioFormatFlagIsBigEndian: AudioFormatFlags = 1 << 1
/// Signed; clear for unsigned. Only for integers.
public let kAudioFormatFlagIsSignedInteger: AudioFormatFlags = 1 << 2
/// The sample takes all bits that there are; clear where it lies high or low in them.
public let kAudioFormatFlagIsPacked: AudioFormatFlags = 1 << 3
/// The sample lies in the high bits. Only where not packed.
public let kAudioFormatFlagIsAlignedHigh: AudioFormatFlags = 1 << 4
/// Every channel has a buffer of its own.
public let kAudioFormatFlagIsNonInterleaved: AudioFormatFlags = 1 << 5
/// The format cannot be mixed. Only in descriptions of hardware.
public let kAudioFormatFlagIsNonMixable: AudioFormatFlags = 1 << 6
/// All flags clear, where 0 would mean "any".
public let kAudioFormatFlagsAreAllClear: AudioFormatFlags = 0x8000_0000

/// The same as `kAudioFormatFlagIsFloat`.
public let kLinearPCMFormatFlagIsFloat: AudioFormatFlags = kAudioFormatFlagIsFloat
/// The same as `kAudioFormatFlagIsBigEndian`.
public let kLinearPCMFormatFlagIsBigEndian: AudioFormatFlags = kAudioFormatFlagIsBigEndian
/// The same as `kAudioFormatFlagIsSignedInteger`.
public let kLinearPCMFormatFlagIsSignedInteger: AudioFormatFlags = kAudioFormatFlagIsSignedInteger
/// The same as `kAudioFormatFlagIsPacked`.
public let kLinearPCMFormatFlagIsPacked: AudioFormatFlags = kAudioFormatFlagIsPacked
/// The same as `kAudioFormatFlagIsAlignedHigh`.
public let kLinearPCMFormatFlagIsAlignedHigh: AudioFormatFlags = kAudioFormatFlagIsAlignedHigh
/// The same as `kAudioFormatFlagIsNonInterleaved`.
public let kLinearPCMFormatFlagIsNonInterleaved: AudioFormatFlags = kAudioFormatFlagIsNonInterleaved
/// The same as `kAudioFormatFlagIsNonMixable`.
public let kLinearPCMFormatFlagIsNonMixable: AudioFormatFlags = kAudioFormatFlagIsNonMixable
/// Position of the six bits that hold the number of fractional bits of a fixed-point sample.
public let kLinearPCMFormatFlagsSampleFractionShift: AudioFormatFlags = 7
/// Mask of the six bits that hold the number of fractional bits of a fixed-point sample.
public let kLinearPCMFormatFlagsSampleFractionMask: AudioFormatFlags = 0x3F << 7
/// The same as `kAudioFormatFlagsAreAllClear`.
public let kLinearPCMFormatFlagsAreAllClear: AudioFormatFlags = kAudioFormatFlagsAreAllClear

/// Apple Lossless from 16-bit signed integers.
public let kAppleLosslessFormatFlag_16BitSourceData: AudioFormatFlags = 1
/// Apple Lossless from 20-bit signed integers, high in 24 bits.
public let kAppleLosslessFormatFlag_20BitSourceData: AudioFormatFlags = 2
/// Apple Lossless from 24-bit signed integers.
public let kAppleLosslessFormatFlag_24BitSourceData: AudioFormatFlags = 3
/// Apple Lossless from 32-bit signed integers.
public let kAppleLosslessFormatFlag_32BitSourceData: AudioFormatFlags = 4

#if _endian(big)
/// The byte order of this machine: big endian.
public let kAudioFormatFlagsNativeEndian: AudioFormatFlags = kAudioFormatFlagIsBigEndian
#else
/// The byte order of this machine: little endian, no flag.
public let kAudioFormatFlagsNativeEndian: AudioFormatFlags = 0
#endif
/// Packed floating point in the byte order of this machine.
public let kAudioFormatFlagsNativeFloatPacked: AudioFormatFlags =
    kAudioFormatFlagIsFloat | kAudioFormatFlagsNativeEndian | kAudioFormatFlagIsPacked
