import AVFAudio
import Testing

/// Values as other people's bindings of Apple's headers have them, in decimal.
@Suite struct ConstantsTests {
    @Test func formatIDs() {
        #expect(kAudioFormatLinearPCM == 1_819_304_813)
        #expect(kAudioFormatMPEG4AAC == 1_633_772_320)
        #expect(kAudioFormatAppleLossless == 1_634_492_771)
        #expect(kAudioFormatAppleIMA4 == 1_768_775_988)
        #expect(kAudioFormatDVIIntelIMA == 0x6D73_0011)
    }

    @Test func fileTypes() {
        let types: [(AudioFileTypeID, UInt32)] = [
            (kAudioFileAIFFType, 1_095_321_158), (kAudioFileAIFCType, 1_095_321_155),
            (kAudioFileWAVEType, 1_463_899_717), (kAudioFileRF64Type, 1_380_333_108),
            (kAudioFileBW64Type, 1_113_011_764), (kAudioFileWave64Type, 1_463_170_150),
            (kAudioFileSoundDesigner2Type, 1_399_075_430), (kAudioFileNextType, 1_315_264_596),
            (kAudioFileMP3Type, 1_297_106_739), (kAudioFileAC3Type, 1_633_889_587),
            (kAudioFileAAC_ADTSType, 1_633_973_363), (kAudioFileMPEG4Type, 1_836_069_990),
            (kAudioFileM4AType, 1_832_149_350), (kAudioFileM4BType, 1_832_149_606),
            (kAudioFileCAFType, 1_667_327_590), (kAudioFile3GPType, 862_417_008), (kAudioFile3GP2Type, 862_416_946),
            (kAudioFileAMRType, 1_634_562_662), (kAudioFileFLACType, 1_718_378_851),
            (kAudioFileLATMInLOASType, 1_819_238_771),
        ]
        for (type, value) in types { #expect(type == value) }
    }

    @Test func errors() {
        let errors: [(OSStatus, Int32)] = [
            (kAudioFileUnspecifiedError, 2_003_334_207), (kAudioFileUnsupportedFileTypeError, 1_954_115_647),
            (kAudioFileUnsupportedDataFormatError, 1_718_449_215), (kAudioFileUnsupportedPropertyError, 1_886_681_407),
            (kAudioFileBadPropertySizeError, 561_211_770), (kAudioFilePermissionsError, 1_886_547_263),
            (kAudioFileNotOptimizedError, 1_869_640_813), (kAudioFileInvalidChunkError, 1_667_787_583),
            (kAudioFileDoesNotAllow64BitDataSizeError, 1_868_981_823),
            (kAudioFileInvalidPacketOffsetError, 1_885_563_711),
            (kAudioFileInvalidPacketDependencyError, 1_684_369_471), (kAudioFileInvalidFileError, 1_685_348_671),
            (kAudioFileOperationNotSupportedError, 1_869_627_199), (kAudio_BadFilePathError, 561_017_960),
            (kAudioFileEndOfFileError, -39), (kAudio_ParamError, -50),
        ]
        for (error, value) in errors { #expect(error == value) }
    }

    @Test func layoutsAndFlags() {
        #expect(kAudioChannelLayoutTag_Mono == 6_553_601 && kAudioChannelLayoutTag_Stereo == 6_619_138)
        #expect(AudioChannelLayoutTag_GetNumberOfChannels(kAudioChannelLayoutTag_MPEG_7_1_C) == 8)
        #expect(kAudioChannelLayoutTag_AudioUnit_5_1 == kAudioChannelLayoutTag_MPEG_5_1_A)
        #expect(kAudioChannelLabel_Discrete_15 == 65_551 && kAudioChannelLabel_HOA_ACN_0 == 131_072)
        #expect(kAudioFormatFlagsNativeFloatPacked == 9)
        #expect(kLinearPCMFormatFlagsSampleFractionMask == 0x1F80)
    }

    @Test func structuresHaveTheSizesOfC() {
        #expect(MemoryLayout<AudioStreamBasicDescription>.size == 40)
        #expect(MemoryLayout<AudioStreamPacketDescription>.size == 16)
        #expect(MemoryLayout<AudioBuffer>.size == 16 && MemoryLayout<AudioBufferList>.size == 24)
        #expect(MemoryLayout<SMPTETime>.size == 24 && MemoryLayout<AudioTimeStamp>.size == 64)
        #expect(MemoryLayout<AudioChannelDescription>.size == 20 && MemoryLayout<AudioChannelLayout>.size == 32)
        #expect(AudioBufferList.sizeInBytes(maximumBuffers: 3) == 56)
    }

    @Test func bufferLists() throws {
        let list = AudioBufferList.allocate(maximumBuffers: 3)
        defer { free(list.unsafeMutablePointer) }
        #expect(list.count == 3 && list.allSatisfy { $0.mData == nil })
        list[2].mNumberChannels = 7
        #expect(list.unsafePointer.pointee.mNumberBuffers == 3 && list.map(\.mNumberChannels) == [0, 0, 7])
        #expect(UnsafeMutableAudioBufferListPointer(nil) == nil)
    }

    @Test func settingsKeys() {
        #expect(AVEncoderAudioQualityKey == "AVEncoderQualityKey")
        #expect(AVSampleRateConverterAudioQualityKey == "AVSampleRateConverterQualityKey")
        #expect(AVAudioQuality.high.rawValue == 0x60 && AVAudioQuality.max.rawValue == 0x7F)
    }
}
