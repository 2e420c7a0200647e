import AVFAudio
import Testing

@Suite struct AVAudioPCMBufferTests {
    @Test func deinterleavedChannelsLieApart() throws {
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2))
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 100))
        #expect(buffer.frameLength == 0)
        #expect(buffer.stride == 1)
        #expect(buffer.int16ChannelData == nil)
        let channels = try #require(buffer.floatChannelData)
        channels[0][99] = 1
        channels[1][99] = -1
        buffer.frameLength = 100
        let list = UnsafeMutableAudioBufferListPointer(buffer.mutableAudioBufferList)
        #expect(list.count == 2)
        for (index, value) in [Float(1), -1].enumerated() {
            let samples = UnsafeMutableBufferPointer<Float>(list[index])
            #expect(samples.count == 100)
            #expect(samples[99] == value)
            #expect(samples[98] == 0)
        }
    }

    @Test func interleavedChannelsShareTheirMemory() throws {
        let format = try #require(
            AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 8000, channels: 2, interleaved: true)
        )
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 10))
        let channels = try #require(buffer.int16ChannelData)
        #expect(buffer.stride == 2)
        channels[1][3 * buffer.stride] = 7
        let samples = UnsafeMutableBufferPointer<Int16>(
            UnsafeMutableAudioBufferListPointer(buffer.mutableAudioBufferList)[0]
        )
        #expect(samples.count == 20)
        #expect(samples[7] == 7)
    }

    @Test func listsTellLengthAndCapacity() throws {
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 1))
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 100))
        buffer.frameLength = 25
        #expect(buffer.audioBufferList.pointee.mBuffers.mDataByteSize == 100)
        #expect(buffer.mutableAudioBufferList.pointee.mBuffers.mDataByteSize == 400)
    }

    @Test func memoryOfTheCallerIsUsedAndReleasedOnce() throws {
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 1))
        var samples: [Float] = [1, 2, 3, 4]
        final class Count { var value = 0 }
        let released = Count()
        try samples.withUnsafeMutableBufferPointer { memory in
            var list = AudioBufferList(mNumberBuffers: 1, mBuffers: AudioBuffer(memory, numberOfChannels: 1))
            try withUnsafePointer(to: &list) { list in
                do {
                    let buffer = try #require(
                        AVAudioPCMBuffer(pcmFormat: format, bufferListNoCopy: list) { _ in released.value += 1 }
                    )
                    #expect(buffer.frameLength == 4)
                    buffer.floatChannelData?[0][2] = 30
                    #expect(released.value == 0)
                }
                #expect(released.value == 1)
            }
        }
        #expect(samples == [1, 2, 30, 4])
    }

    @Test func copyHasItsOwnMemory() throws {
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2))
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 4))
        buffer.frameLength = 2
        buffer.floatChannelData?[1][1] = 5
        let copy = try #require(buffer.copy() as? AVAudioPCMBuffer)
        buffer.floatChannelData?[1][1] = 6
        #expect(copy.frameCapacity == 4)
        #expect(copy.frameLength == 2)
        #expect(copy.floatChannelData?[1][1] == 5)
    }

    @Test func impossibleBuffersAreNil() throws {
        var description = AudioStreamBasicDescription()
        description.mSampleRate = 44_100
        description.mFormatID = kAudioFormatMPEG4AAC
        description.mChannelsPerFrame = 1
        let compressed = try #require(AVAudioFormat(streamDescription: &description))
        #expect(AVAudioPCMBuffer(pcmFormat: compressed, frameCapacity: 10) == nil)
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 1))
        #expect(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: .max) == nil)
    }

    /// Programs derive classes from it.
    final class Subclass: AVAudioPCMBuffer {
        let name: String

        init?(name: String, format: AVAudioFormat) {
            self.name = name
            super.init(pcmFormat: format, frameCapacity: 8)
        }
    }

    @Test func classesCanBeDerived() throws {
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2))
        let buffer = try #require(Subclass(name: "a", format: format))
        #expect(buffer.frameCapacity == 8 && buffer.name == "a")
    }
}
