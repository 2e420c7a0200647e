import AudioCore

extension LinearPCMLayout {
    func checkSupported() throws(AudioFailure) {
        guard (isFloat ? [32, 64] : [8, 16, 24, 32]).contains(bitsPerSample) else {
            throw AudioFailure(
                .invalidArgument,
                isFloat
                    ? "Floating-point samples cannot have \(bitsPerSample) bits: 32 or 64 is allowed."
                    : "Integer samples cannot have \(bitsPerSample) bits: 8, 16, 24 or 32 is allowed.",
                argument: .bitDepth
            )
        }
        guard isSigned || (bitsPerSample == 8 && !isFloat) else {
            throw AudioFailure(.invalidArgument, "Only samples of 8 bits can be unsigned.")
        }
    }

    /// Stores samples of `naturalSampleType`. Samples that are wider than the layout are rounded to the nearest.
    func store(_ source: UnsafeRawPointer, samples: Int, to target: UnsafeMutableRawPointer) {
        switch bitsPerSample {
        case 8:
            let input = source.assumingMemoryBound(to: Int16.self)
            let output = target.assumingMemoryBound(to: UInt8.self)
            let flip: UInt8 = isSigned ? 0 : 0x80
            for index in 0..<samples {
                let rounded = min((Int32(input[index]) &+ 0x80) >> 8, 0x7F)
                output[index] = UInt8(truncatingIfNeeded: rounded) ^ flip
            }
        case 16:
            swapCopy(source, target, samples, of: UInt16.self)
        case 24:
            let input = source.assumingMemoryBound(to: Int32.self)
            let output = target.assumingMemoryBound(to: UInt8.self)
            let (first, last) = isBigEndian ? (2, 0) : (0, 2)
            for index in 0..<samples {
                let sample = input[index]
                let rounded = sample > 0x7FFF_FF7F ? 0x7F_FFFF : (sample &+ 0x80) >> 8
                let place = output + 3 * index
                place[first] = UInt8(truncatingIfNeeded: rounded)
                place[1] = UInt8(truncatingIfNeeded: rounded >> 8)
                place[last] = UInt8(truncatingIfNeeded: rounded >> 16)
            }
        case 64:
            swapCopy(source, target, samples, of: UInt64.self)
        default:
            swapCopy(source, target, samples, of: UInt32.self)
        }
    }

    /// Reads samples into `naturalSampleType`, full scale in its width. Nothing is lost.
    func load(_ source: UnsafeRawPointer, samples: Int, to target: UnsafeMutableRawPointer) {
        switch bitsPerSample {
        case 8:
            let input = source.assumingMemoryBound(to: UInt8.self)
            let output = target.assumingMemoryBound(to: Int16.self)
            let flip: UInt8 = isSigned ? 0 : 0x80
            for index in 0..<samples { output[index] = Int16(Int8(bitPattern: input[index] ^ flip)) &<< 8 }
        case 16:
            swapCopy(source, target, samples, of: UInt16.self)
        case 24:
            let input = source.assumingMemoryBound(to: UInt8.self)
            let output = target.assumingMemoryBound(to: UInt32.self)
            let (first, last) = isBigEndian ? (2, 0) : (0, 2)
            for index in 0..<samples {
                let place = input + 3 * index
                output[index] = UInt32(place[first]) &<< 8 | UInt32(place[1]) &<< 16 | UInt32(place[last]) &<< 24
            }
        case 64:
            swapCopy(source, target, samples, of: UInt64.self)
        default:
            swapCopy(source, target, samples, of: UInt32.self)
        }
    }

    /// Copies samples whose bits are the same in memory and in the file, in the file's byte order. The file's side may be
    /// at any address.
    @inline(__always)
    private func swapCopy<Bits: FixedWidthInteger & BitwiseCopyable>(
        _ source: UnsafeRawPointer,
        _ target: UnsafeMutableRawPointer,
        _ samples: Int,
        of _: Bits.Type
    ) {
        let size = MemoryLayout<Bits>.size
        if isBigEndian == (Bits(1).bigEndian == 1) {
            target.copyMemory(from: source, byteCount: samples * size)
            return
        }
        for index in 0..<samples {
            let bits = source.loadUnaligned(fromByteOffset: index * size, as: Bits.self)
            target.storeBytes(of: bits.byteSwapped, toByteOffset: index * size, as: Bits.self)
        }
    }
}
