/// The role of a channel.
public typealias AudioChannelLabel = UInt32

/// A predefined layout of channels.
public typealias AudioChannelLayoutTag = UInt32

/// Channels as a set; the bits are those of the WAVE channel mask.
public struct AudioChannelBitmap: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt32

    /// Channels from their bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Left.
    public static let bit_Left = AudioChannelBitmap(rawValue: 1 << 0)
    /// Right.
    public static let bit_Right = AudioChannelBitmap(rawValue: 1 << 1)
    /// Centre.
    public static let bit_Center = AudioChannelBitmap(rawValue: 1 << 2)
    /// Low-frequency effects.
    public static let bit_LFEScreen = AudioChannelBitmap(rawValue: 1 << 3)
    /// Left surround.
    public static let bit_LeftSurround = AudioChannelBitmap(rawValue: 1 << 4)
    /// Right surround.
    public static let bit_RightSurround = AudioChannelBitmap(rawValue: 1 << 5)
    /// Left of centre.
    public static let bit_LeftCenter = AudioChannelBitmap(rawValue: 1 << 6)
    /// Right of centre.
    public static let bit_RightCenter = AudioChannelBitmap(rawValue: 1 << 7)
    /// Rear centre.
    public static let bit_CenterSurround = AudioChannelBitmap(rawValue: 1 << 8)
    /// Left surround direct.
    public static let bit_LeftSurroundDirect = AudioChannelBitmap(rawValue: 1 << 9)
    /// Right surround direct.
    public static let bit_RightSurroundDirect = AudioChannelBitmap(rawValue: 1 << 10)
    /// Above the listener.
    public static let bit_TopCenterSurround = AudioChannelBitmap(rawValue: 1 << 11)
    /// Top front left.
    public static let bit_VerticalHeightLeft = AudioChannelBitmap(rawValue: 1 << 12)
    /// Top front centre.
    public static let bit_VerticalHeightCenter = AudioChannelBitmap(rawValue: 1 << 13)
    /// Top front right.
    public static let bit_VerticalHeightRight = AudioChannelBitmap(rawValue: 1 << 14)
    /// Top back left.
    public static let bit_TopBackLeft = AudioChannelBitmap(rawValue: 1 << 15)
    /// Top back centre.
    public static let bit_TopBackCenter = AudioChannelBitmap(rawValue: 1 << 16)
    /// Top back right.
    public static let bit_TopBackRight = AudioChannelBitmap(rawValue: 1 << 17)
}

/// How the coordinates of a channel are meant.
public struct AudioChannelFlags: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt32

    /// Flags from their bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Left–right, back–front, down–up.
    public static let rectangularCoordinates = AudioChannelFlags(rawValue: 1 << 0)
    /// Azimuth, elevation, distance.
    public static let sphericalCoordinates = AudioChannelFlags(rawValue: 1 << 1)
    /// In metres; otherwise relative to the unit cube or sphere.
    public static let meters = AudioChannelFlags(rawValue: 1 << 2)
}

/// One channel of a layout.
public struct AudioChannelDescription: Sendable {
    /// The role.
    public var mChannelLabel: AudioChannelLabel
    /// How the coordinates are meant.
    public var mChannelFlags: AudioChannelFlags
    /// The place of the loudspeaker.
    public var mCoordinates: (Float32, Float32, Float32)

    /// All fields 0.
    public init() { self.init(mChannelLabel: 0, mChannelFlags: [], mCoordinates: (0, 0, 0)) }

    /// A description from its fields.
    public init(
        mChannelLabel: AudioChannelLabel,
        mChannelFlags: AudioChannelFlags,
        mCoordinates: (Float32, Float32, Float32)
    ) {
        self.mChannelLabel = mChannelLabel
        self.mChannelFlags = mChannelFlags
        self.mCoordinates = mCoordinates
    }
}

/// The channels of a stream by tag, by bitmap or one by one: more descriptions may lie in memory behind
/// `mChannelDescriptions`.
public struct AudioChannelLayout: Sendable {
    /// The layout, or `kAudioChannelLayoutTag_UseChannelBitmap` or `…_UseChannelDescriptions`.
    public var mChannelLayoutTag: AudioChannelLayoutTag
    /// The channels, where the tag says so.
    public var mChannelBitmap: AudioChannelBitmap
    /// Descriptions in the layout.
    public var mNumberChannelDescriptions: UInt32
    /// The first description.
    public var mChannelDescriptions: AudioChannelDescription

    /// All fields 0.
    public init() {
        self.init(
            mChannelLayoutTag: 0,
            mChannelBitmap: [],
            mNumberChannelDescriptions: 0,
            mChannelDescriptions: AudioChannelDescription()
        )
    }

    /// A layout from its fields.
    public init(
        mChannelLayoutTag: AudioChannelLayoutTag,
        mChannelBitmap: AudioChannelBitmap,
        mNumberChannelDescriptions: UInt32,
        mChannelDescriptions: AudioChannelDescription
    ) {
        self.mChannelLayoutTag = mChannelLayoutTag
        self.mChannelBitmap = mChannelBitmap
        self.mNumberChannelDescriptions = mNumberChannelDescriptions
        self.mChannelDescriptions = mChannelDescriptions
    }
}
