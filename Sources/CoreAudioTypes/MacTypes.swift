// Types of MacTypes.h that Foundation brings along on Apple's systems and not on Linux. Core Foundation has them there, but
// re-exporting it would bring its `CFURL` in the way of ours.

/// The result of a C function: 0 for success.
public typealias OSStatus = Int32

/// Four characters in one number, most significant first.
public typealias FourCharCode = UInt32

/// The kind of something, as four characters.
public typealias OSType = FourCharCode

/// Success.
public let noErr: OSStatus = 0
