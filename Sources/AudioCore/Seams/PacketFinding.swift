/// Finds where the packets of a codec end, in bytes that have lost their table of sizes. One thread at a time.
///
/// For codecs whose packets say neither where they start nor how long they are (AAC, ALAC): a packet is read to its end
/// as a decoder reads it, and the next one starts there.
package protocol PacketFinder: AnyObject {
    /// No packet of the stream has more bytes.
    var longestPacket: Int { get }

    /// False where no packet that could be looked for begins with `byte`; packets that begin otherwise may follow others.
    func mayStart(with byte: UInt8) -> Bool

    /// The sizes of the packets that lie one behind the other from the start of `bytes` on, as far as each is whole and
    /// right. Empty where none starts there.
    /// - Parameter isEnd: nothing follows `bytes`: what is cut there will not be seen whole again.
    func sizes(in bytes: [UInt8], isEnd: Bool) throws(AudioFailure) -> [Int]
}

extension MediaProvider {
    package func makePacketFinder(_ stream: StreamDescription) throws(AudioFailure) -> (any PacketFinder)? { nil }
}

extension MediaRegistry {
    /// Nil where nobody finds packets of the codec.
    package func makePacketFinder(_ stream: StreamDescription) throws(AudioFailure) -> (any PacketFinder)? {
        for provider in providers {
            if let finder = try provider.makePacketFinder(stream) { return finder }
        }
        return nil
    }
}
