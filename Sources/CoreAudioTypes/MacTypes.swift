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

/// A truth value of C's, as one byte; Swift's `Bool` by ``boolValue``, or by a literal.
@frozen public struct DarwinBoolean: ExpressibleByBooleanLiteral, Equatable, Hashable, Sendable, CustomStringConvertible
{
    private var value: UInt8

    /// The value as C has it.
    public init(_ value: Bool) { self.value = value ? 1 : 0 }

    /// The value of a literal.
    public init(booleanLiteral value: Bool) { self.init(value) }

    /// True for everything but 0.
    public var boolValue: Bool { value != 0 }

    /// "true" or "false".
    public var description: String { boolValue.description }
}
