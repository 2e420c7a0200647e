/// The kinds of SMPTE time, by frames per second.
public enum SMPTETimeType: UInt32, Sendable {
    /// 24 frames per second.
    case type24 = 0
    /// 25 frames per second.
    case type25 = 1
    /// 30 frames per second, drop frame.
    case type30Drop = 2
    /// 30 frames per second.
    case type30 = 3
    /// 29.97 frames per second.
    case type2997 = 4
    /// 29.97 frames per second, drop frame.
    case type2997Drop = 5
    /// 60 frames per second.
    case type60 = 6
    /// 59.94 frames per second.
    case type5994 = 7
    /// 60 frames per second, drop frame.
    case type60Drop = 8
    /// 59.94 frames per second, drop frame.
    case type5994Drop = 9
    /// 50 frames per second.
    case type50 = 10
    /// 23.98 frames per second.
    case type2398 = 11
}

/// What is known of a SMPTE time.
public struct SMPTETimeFlags: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt32

    /// Flags from their bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The full time is valid.
    public static let valid = SMPTETimeFlags(rawValue: 1 << 0)
    /// The time is running.
    public static let running = SMPTETimeFlags(rawValue: 1 << 1)
}

/// A SMPTE time.
public struct SMPTETime: Sendable {
    /// Subframes of the time.
    public var mSubframes: Int16
    /// Subframes in a frame, usually 80.
    public var mSubframeDivisor: Int16
    /// Messages received.
    public var mCounter: UInt32
    /// Frames per second.
    public var mType: SMPTETimeType
    /// What is known.
    public var mFlags: SMPTETimeFlags
    /// Hours of the time.
    public var mHours: Int16
    /// Minutes of the time.
    public var mMinutes: Int16
    /// Seconds of the time.
    public var mSeconds: Int16
    /// Frames of the time.
    public var mFrames: Int16

    /// All fields 0.
    public init() {
        self.init(
            mSubframes: 0,
            mSubframeDivisor: 0,
            mCounter: 0,
            mType: .type24,
            mFlags: [],
            mHours: 0,
            mMinutes: 0,
            mSeconds: 0,
            mFrames: 0
        )
    }

    /// A time from its fields.
    public init(
        mSubframes: Int16,
        mSubframeDivisor: Int16,
        mCounter: UInt32,
        mType: SMPTETimeType,
        mFlags: SMPTETimeFlags,
        mHours: Int16,
        mMinutes: Int16,
        mSeconds: Int16,
        mFrames: Int16
    ) {
        self.mSubframes = mSubframes
        self.mSubframeDivisor = mSubframeDivisor
        self.mCounter = mCounter
        self.mType = mType
        self.mFlags = mFlags
        self.mHours = mHours
        self.mMinutes = mMinutes
        self.mSeconds = mSeconds
        self.mFrames = mFrames
    }
}

/// Which fields of a time stamp are valid.
public struct AudioTimeStampFlags: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt32

    /// Flags from their bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The sample time is valid.
    public static let sampleTimeValid = AudioTimeStampFlags(rawValue: 1 << 0)
    /// The host time is valid.
    public static let hostTimeValid = AudioTimeStampFlags(rawValue: 1 << 1)
    /// The rate scalar is valid.
    public static let rateScalarValid = AudioTimeStampFlags(rawValue: 1 << 2)
    /// The word clock time is valid.
    public static let wordClockTimeValid = AudioTimeStampFlags(rawValue: 1 << 3)
    /// The SMPTE time is valid.
    public static let smpteTimeValid = AudioTimeStampFlags(rawValue: 1 << 4)
    /// Sample time and host time are valid.
    public static let sampleHostTimeValid: AudioTimeStampFlags = [.sampleTimeValid, .hostTimeValid]
}

/// One moment, told in several ways.
public struct AudioTimeStamp: Sendable {
    /// The moment in frames.
    public var mSampleTime: Float64
    /// The moment on the host's clock (`AudioGetCurrentHostTime`).
    public var mHostTime: UInt64
    /// Measured host ticks per frame ÷ nominal host ticks per frame.
    public var mRateScalar: Float64
    /// The moment on the word clock.
    public var mWordClockTime: UInt64
    /// The moment as SMPTE time.
    public var mSMPTETime: SMPTETime
    /// Which of these are valid.
    public var mFlags: AudioTimeStampFlags
    /// Pads the structure to a multiple of 8 bytes; 0.
    public var mReserved: UInt32

    /// All fields 0, none valid.
    public init() {
        self.init(
            mSampleTime: 0,
            mHostTime: 0,
            mRateScalar: 0,
            mWordClockTime: 0,
            mSMPTETime: SMPTETime(),
            mFlags: [],
            mReserved: 0
        )
    }

    /// A time stamp from its fields.
    public init(
        mSampleTime: Float64,
        mHostTime: UInt64,
        mRateScalar: Float64,
        mWordClockTime: UInt64,
        mSMPTETime: SMPTETime,
        mFlags: AudioTimeStampFlags,
        mReserved: UInt32
    ) {
        self.mSampleTime = mSampleTime
        self.mHostTime = mHostTime
        self.mRateScalar = mRateScalar
        self.mWordClockTime = mWordClockTime
        self.mSMPTETime = mSMPTETime
        self.mFlags = mFlags
        self.mReserved = mReserved
    }
}
