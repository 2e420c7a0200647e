/// Tables of checksums (cyclic redundancy checks that are not reflected), by which bytes are taken one or eight at a time.
enum ChecksumTables {
    /// - Parameters:
    ///   - polynomial: without its highest term.
    ///   - rows: row `k` of 256 is a byte followed by `k` zeros.
    static func make<Word: FixedWidthInteger & UnsignedInteger>(_ polynomial: Word, rows: Int) -> [Word] {
        let top = Word(1) << (Word.bitWidth - 1)
        var tables = (0..<256).map { value -> Word in
            var remainder = Word(value) << (Word.bitWidth - 8)
            for _ in 0..<8 { remainder = remainder & top != 0 ? remainder << 1 ^ polynomial : remainder << 1 }
            return remainder
        }
        for index in 256..<rows * 256 {
            let before = tables[index - 256]
            tables.append(before << 8 ^ tables[Int(before >> (Word.bitWidth - 8))])
        }
        return tables
    }
}
