internal import AudioCore
public import CoreAudioTypes
public import Foundation
internal import Synchronization

/// The usual formats of samples in memory.
public enum AVAudioCommonFormat: UInt, Sendable {
    /// Any other format.
    case otherFormat = 0
    /// 32-bit floating point in the machine's byte order.
    case pcmFormatFloat32 = 1
    /// 64-bit floating point in the machine's byte order.
    case pcmFormatFloat64 = 2
    /// Signed 16-bit integers in the machine's byte order.
    case pcmFormatInt16 = 3
    /// Signed 32-bit integers in the machine's byte order.
    case pcmFormatInt32 = 4
}

/// The format of audio: a stream description with the roles of its channels.
///
/// The standard format is 32-bit floating point, non-interleaved. May be used from any thread.
open class AVAudioFormat: NSObject, NSSecureCoding, @unchecked Sendable {
    // Unchecked: nothing but the cookie, which has a lock, changes after the initialiser.
    private let asbd: UnsafePointer<AudioStreamBasicDescription>
    private let cookie = Mutex<Data?>(nil)

    /// The roles of the channels; nil where mono and stereo need none.
    public let channelLayout: AVAudioChannelLayout?

    // MARK: Creating

    /// A format from its description; nil for more than 2 channels, which need a layout.
    public convenience init?(streamDescription asbd: UnsafePointer<AudioStreamBasicDescription>) {
        self.init(streamDescription: asbd, channelLayout: nil)
    }

    /// A format from its description and the roles of its channels.
    /// - Parameters:
    ///   - asbd: the description; it is copied.
    ///   - layout: may be nil for 1 and 2 channels only. Its number of channels must be that of the description.
    /// - Returns: nil for no channels, for more than 2 without a layout, or where the layout has another number.
    public init?(
        streamDescription asbd: UnsafePointer<AudioStreamBasicDescription>,
        channelLayout layout: AVAudioChannelLayout?
    ) {
        let channels = asbd.pointee.mChannelsPerFrame
        guard channels > 0, asbd.pointee.mSampleRate.isFinite, asbd.pointee.mSampleRate >= 0 else { return nil }
        if let layout {
            guard layout.channelCount == channels else { return nil }
        } else {
            guard channels <= 2 else { return nil }
        }
        self.asbd = Self.lasting(asbd.pointee)
        channelLayout = layout
        super.init()
    }

    /// A format of what is known to have channels, and a layout where it has more than 2.
    init(description: AudioStreamBasicDescription, layout: AVAudioChannelLayout?) {
        asbd = Self.lasting(description)
        channelLayout = layout
        super.init()
    }

    /// The standard format with 1 or 2 channels; nil for other numbers.
    public convenience init?(standardFormatWithSampleRate sampleRate: Double, channels: AVAudioChannelCount) {
        self.init(commonFormat: .pcmFormatFloat32, sampleRate: sampleRate, channels: channels, interleaved: false)
    }

    /// The standard format with the channels of `layout`.
    public convenience init(standardFormatWithSampleRate sampleRate: Double, channelLayout layout: AVAudioChannelLayout)
    {
        self.init(commonFormat: .pcmFormatFloat32, sampleRate: sampleRate, interleaved: false, channelLayout: layout)
    }

    /// One of the common formats with 1 or 2 channels.
    /// - Returns: nil for other numbers of channels, and for `otherFormat`.
    public convenience init?(
        commonFormat format: AVAudioCommonFormat,
        sampleRate: Double,
        channels: AVAudioChannelCount,
        interleaved: Bool
    ) {
        guard format != .otherFormat, (1...2).contains(channels) else { return nil }
        var asbd = AudioStreamBasicDescription.linearPCM(
            format,
            sampleRate: sampleRate,
            channels: channels,
            interleaved: interleaved
        )
        self.init(streamDescription: &asbd)
    }

    /// One of the common formats with the channels of `layout`. `otherFormat` gives the standard format.
    public init(
        commonFormat format: AVAudioCommonFormat,
        sampleRate: Double,
        interleaved: Bool,
        channelLayout layout: AVAudioChannelLayout
    ) {
        asbd = Self.lasting(
            .linearPCM(
                format,
                sampleRate: sampleRate,
                channels: layout.channelCount,
                interleaved: interleaved
            )
        )
        channelLayout = layout
        super.init()
    }

    private static func lasting(_ description: AudioStreamBasicDescription)
        -> UnsafePointer<AudioStreamBasicDescription>
    {
        withUnsafeBytes(of: description) { LastingBytes.pointer(to: $0) }
            .assumingMemoryBound(to: AudioStreamBasicDescription.self)
    }

    // MARK: Reading

    /// True for the standard format.
    open var isStandard: Bool { commonFormat == .pcmFormatFloat32 && (!isInterleaved || channelCount == 1) }

    /// Which of the common formats this is.
    open var commonFormat: AVAudioCommonFormat { asbd.pointee.commonFormat }

    /// The number of channels.
    open var channelCount: AVAudioChannelCount { asbd.pointee.mChannelsPerFrame }

    /// Frames per second.
    open var sampleRate: Double { asbd.pointee.mSampleRate }

    /// Whether the channels of linear PCM lie in one buffer.
    open var isInterleaved: Bool { asbd.pointee.mFormatFlags & kAudioFormatFlagIsNonInterleaved == 0 }

    /// The description, which outlives this object.
    open var streamDescription: UnsafePointer<AudioStreamBasicDescription> { asbd }

    /// Set-up of the codec, where it needs one.
    open var magicCookie: Data? {
        get { cookie.withLock { $0 } }
        set { cookie.withLock { $0 = newValue } }
    }

    /// Settings with which recorders and files make this format. All numbers are `NSNumber`.
    open var settings: [String: Any] {
        let description = asbd.pointee
        var settings: [String: Any] = [
            AVFormatIDKey: NSNumber(value: description.mFormatID),
            AVSampleRateKey: NSNumber(value: description.mSampleRate),
            AVNumberOfChannelsKey: NSNumber(value: description.mChannelsPerFrame),
        ]
        switch description.mFormatID {
        case kAudioFormatLinearPCM:
            let flags = description.mFormatFlags
            settings[AVLinearPCMBitDepthKey] = NSNumber(value: description.mBitsPerChannel)
            settings[AVLinearPCMIsFloatKey] = NSNumber(value: flags & kAudioFormatFlagIsFloat != 0)
            settings[AVLinearPCMIsBigEndianKey] = NSNumber(value: flags & kAudioFormatFlagIsBigEndian != 0)
            settings[AVLinearPCMIsNonInterleaved] = NSNumber(value: flags & kAudioFormatFlagIsNonInterleaved != 0)
        case kAudioFormatAppleLossless, kAudioFormatFLAC:
            if let bits = AudioStreamBasicDescription.sourceBits(ofLosslessFlags: description.mFormatFlags) {
                settings[AVEncoderBitDepthHintKey] = NSNumber(value: bits)
            }
        default: break
        }
        if let channelLayout { settings[AVChannelLayoutKey] = channelLayout.data }
        return settings
    }

    // MARK: NSObject

    /// True for a format that means the same: mono ignores interleaving, and no layout equals the standard mono and stereo
    /// layouts.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVAudioFormat else { return false }
        return significant == other.significant && significantLayout == other.significantLayout
    }

    /// The same for equal formats.
    open override var hash: Int { significant.hashValue }

    /// Channels, rate and kind of the samples.
    open override var description: String {
        let start = "<AVAudioFormat: \(channelCount) ch, \(sampleRate.formatted(.number.grouping(.never))) Hz, "
        let kind =
            switch commonFormat {
            case .pcmFormatFloat32: "Float32"
            case .pcmFormatFloat64: "Float64"
            case .pcmFormatInt16: "Int16"
            case .pcmFormatInt32: "Int32"
            case .otherFormat: "'\(asbd.pointee.formatName)' (0x\(String(asbd.pointee.mFormatFlags, radix: 16)))"
            }
        guard asbd.pointee.mFormatID == kAudioFormatLinearPCM else { return start + kind + ">" }
        return start + kind + (isInterleaved ? ", interleaved>" : ", deinterleaved>")
    }

    /// The description without what does not matter.
    private var significant: [UInt64] {
        var description = asbd.pointee
        if description.mFormatID == kAudioFormatLinearPCM {
            if description.mChannelsPerFrame == 1 { description.mFormatFlags &= ~kAudioFormatFlagIsNonInterleaved }
            if description.isImplicitlyPacked {
                description.mFormatFlags |= kAudioFormatFlagIsPacked
                description.mFormatFlags &= ~kAudioFormatFlagIsAlignedHigh
            }
        }
        return [
            description.mSampleRate.bitPattern, UInt64(description.mFormatID), UInt64(description.mFormatFlags),
            UInt64(description.mBytesPerPacket), UInt64(description.mFramesPerPacket),
            UInt64(description.mBytesPerFrame), UInt64(description.mChannelsPerFrame),
            UInt64(description.mBitsPerChannel),
        ]
    }

    private var significantLayout: AVAudioChannelLayout? {
        switch channelLayout?.layoutTag {
        case kAudioChannelLayoutTag_Mono, kAudioChannelLayoutTag_Stereo: nil
        default: channelLayout
        }
    }

    // MARK: NSSecureCoding

    /// True.
    open class var supportsSecureCoding: Bool { true }

    /// Writes the format. The archive is our own: Apple's frameworks do not read it.
    open func encode(with coder: NSCoder) {
        let data = withUnsafeBytes(of: asbd.pointee) { Data($0) }
        coder.encode(data as NSData, forKey: "streamDescription")
        if let channelLayout { coder.encode(channelLayout, forKey: "channelLayout") }
        if let magicCookie { coder.encode(magicCookie as NSData, forKey: "magicCookie") }
    }

    /// Reads what `encode(with:)` wrote.
    public required convenience init?(coder: NSCoder) {
        guard
            let data = coder.decodeObject(of: NSData.self, forKey: "streamDescription").map({ $0 as Data }),
            data.count == MemoryLayout<AudioStreamBasicDescription>.size
        else { return nil }
        var asbd = data.withUnsafeBytes { $0.loadUnaligned(as: AudioStreamBasicDescription.self) }
        self.init(
            streamDescription: &asbd,
            channelLayout: coder.decodeObject(of: AVAudioChannelLayout.self, forKey: "channelLayout")
        )
        magicCookie = coder.decodeObject(of: NSData.self, forKey: "magicCookie").map { $0 as Data }
    }
}
