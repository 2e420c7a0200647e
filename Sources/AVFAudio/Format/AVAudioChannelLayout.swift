public import CoreAudioTypes
public import Foundation

/// The roles of a format's channels. Immutable.
open class AVAudioChannelLayout: NSObject, NSSecureCoding, @unchecked Sendable {
    // Unchecked: nothing changes after the initialiser.
    private let storage: UnsafeRawPointer
    private let byteCount: Int

    /// The layout's tag.
    public var layoutTag: AudioChannelLayoutTag { layout.pointee.mChannelLayoutTag }

    /// The layout, which outlives this object.
    public var layout: UnsafePointer<AudioChannelLayout> { storage.assumingMemoryBound(to: AudioChannelLayout.self) }

    /// The number of channels.
    public var channelCount: AVAudioChannelCount {
        switch layoutTag {
        case kAudioChannelLayoutTag_UseChannelDescriptions: layout.pointee.mNumberChannelDescriptions
        case kAudioChannelLayoutTag_UseChannelBitmap:
            AVAudioChannelCount(layout.pointee.mChannelBitmap.rawValue.nonzeroBitCount)
        default: AudioChannelLayoutTag_GetNumberOfChannels(layoutTag)
        }
    }

    /// A layout by its tag; nil for `kAudioChannelLayoutTag_UseChannelDescriptions` and `…_UseChannelBitmap`, which say
    /// nothing by themselves.
    public convenience init?(layoutTag: AudioChannelLayoutTag) {
        guard
            layoutTag != kAudioChannelLayoutTag_UseChannelDescriptions,
            layoutTag != kAudioChannelLayoutTag_UseChannelBitmap
        else { return nil }
        var layout = AudioChannelLayout()
        layout.mChannelLayoutTag = layoutTag
        self.init(layout: &layout)
    }

    /// A copy of `layout` with all of its descriptions.
    public init(layout: UnsafePointer<AudioChannelLayout>) {
        byteCount = Self.byteCount(descriptions: layout.pointee.mNumberChannelDescriptions)
        storage = LastingBytes.pointer(to: UnsafeRawBufferPointer(start: layout, count: byteCount))
        super.init()
    }

    /// A layout from the bytes of `AVChannelLayoutKey`; nil where they hold none.
    convenience init?(data: Data) {
        guard data.count >= Self.byteCount(descriptions: 0) else { return nil }
        let bytes = [UInt8](data)
        let padded = bytes + [UInt8](repeating: 0, count: MemoryLayout<AudioChannelLayout>.size)
        let isWhole = padded.withUnsafeBytes { buffer in
            let descriptions = buffer.loadUnaligned(fromByteOffset: 8, as: UInt32.self)
            return descriptions <= 1024 && Self.byteCount(descriptions: max(descriptions, 1)) <= padded.count
                && Self.header + Int(descriptions) * MemoryLayout<AudioChannelDescription>.stride <= bytes.count
        }
        guard isWhole else { return nil }
        let aligned = UnsafeMutableRawPointer.allocate(
            byteCount: padded.count,
            alignment: MemoryLayout<AudioChannelLayout>.alignment
        )
        defer { aligned.deallocate() }
        padded.withUnsafeBytes {
            aligned.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(aligned), byteCount: $0.count)
        }
        self.init(layout: UnsafePointer(aligned.assumingMemoryBound(to: AudioChannelLayout.self)))
    }

    /// The bytes of the layout, as `AVChannelLayoutKey` holds them.
    var data: Data { Data(bytes: storage, count: byteCount) }

    private static let header = MemoryLayout<AudioChannelLayout>.offset(of: \.mChannelDescriptions) ?? 12

    /// Bytes of a layout; never less than the structure, which has room for one description.
    private static func byteCount(descriptions: UInt32) -> Int {
        header + max(Int(descriptions), 1) * MemoryLayout<AudioChannelDescription>.stride
    }

    /// True for a layout with the same tag, bitmap and descriptions.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVAudioChannelLayout else { return false }
        return data == other.data
    }

    /// The same for equal layouts.
    open override var hash: Int { Int(layoutTag) }

    /// The tag and the number of channels.
    open override var description: String {
        "<AVAudioChannelLayout: tag 0x\(String(layoutTag, radix: 16)), \(channelCount) ch>"
    }

    // MARK: NSSecureCoding

    /// True.
    open class var supportsSecureCoding: Bool { true }

    /// Writes the layout.
    open func encode(with coder: NSCoder) { coder.encode(data as NSData, forKey: "layout") }

    /// Reads what `encode(with:)` wrote.
    public required convenience init?(coder: NSCoder) {
        guard let data = coder.decodeObject(of: NSData.self, forKey: "layout") else { return nil }
        self.init(data: data as Data)
    }
}
