// Result codes of AudioFile.h, AudioFormat.h, AudioConverter.h, AudioCodec.h and ExtendedAudioFile.h.

public import CoreAudioTypes

/// An unspecified failure of a file. (`'wht?'`)
public let kAudioFileUnspecifiedError: OSStatus = 0x7768_743F
/// This kind of file is not supported. (`'typ?'`)
public let kAudioFileUnsupportedFileTypeError: OSStatus = 0x7479_703F
/// This kind of file cannot hold this kind of audio. (`'fmt?'`)
public let kAudioFileUnsupportedDataFormatError: OSStatus = 0x666D_743F
/// The property is not supported. (`'pty?'`)
public let kAudioFileUnsupportedPropertyError: OSStatus = 0x7074_793F
/// The size of the property is wrong. (`'!siz'`)
public let kAudioFileBadPropertySizeError: OSStatus = 0x2173_697A
/// The operation is not permitted on the file. (`'prm?'`)
public let kAudioFilePermissionsError: OSStatus = 0x7072_6D3F
/// The chunks must be rearranged before more can be written. (`'optm'`)
public let kAudioFileNotOptimizedError: OSStatus = 0x6F70_746D
/// The chunk does not exist, or is not supported. (`'chk?'`)
public let kAudioFileInvalidChunkError: OSStatus = 0x6368_6B3F
/// The file would grow past 4 GiB, which its kind does not allow. (`'off?'`)
public let kAudioFileDoesNotAllow64BitDataSizeError: OSStatus = 0x6F66_663F
/// The packet lies outside of the file. (`'pck?'`)
public let kAudioFileInvalidPacketOffsetError: OSStatus = 0x7063_6B3F
/// The packets that a packet depends on are not known. (`'dep?'`)
public let kAudioFileInvalidPacketDependencyError: OSStatus = 0x6465_703F
/// The file is malformed, or not of the kind it says. (`'dta?'`)
public let kAudioFileInvalidFileError: OSStatus = 0x6474_613F
/// The operation cannot be performed. (`'op??'`)
public let kAudioFileOperationNotSupportedError: OSStatus = 0x6F70_3F3F
/// The file is closed.
public let kAudioFileNotOpenError: OSStatus = -38
/// The end of the file.
public let kAudioFileEndOfFileError: OSStatus = -39
/// The position is invalid.
public let kAudioFilePositionError: OSStatus = -40
/// The file does not exist.
public let kAudioFileFileNotFoundError: OSStatus = -43

/// An unspecified failure of a format. (`'what'`)
public let kAudioFormatUnspecifiedError: OSStatus = 0x7768_6174
/// The property is not supported. (`'prop'`)
public let kAudioFormatUnsupportedPropertyError: OSStatus = 0x7072_6F70
/// The size of the property is wrong. (`'!siz'`)
public let kAudioFormatBadPropertySizeError: OSStatus = 0x2173_697A
/// The size of the specifier is wrong. (`'!spc'`)
public let kAudioFormatBadSpecifierSizeError: OSStatus = 0x2173_7063
/// The format of the audio is not supported. (`'fmt?'`)
public let kAudioFormatUnsupportedDataFormatError: OSStatus = 0x666D_743F
/// The format is unknown. (`'!fmt'`)
public let kAudioFormatUnknownFormatError: OSStatus = 0x2166_6D74

/// The conversion between these formats is not supported. (`'fmt?'`)
public let kAudioConverterErr_FormatNotSupported: OSStatus = 0x666D_743F
/// The operation is not supported. (`'op??'`)
public let kAudioConverterErr_OperationNotSupported: OSStatus = 0x6F70_3F3F
/// The property is not supported. (`'prop'`)
public let kAudioConverterErr_PropertyNotSupported: OSStatus = 0x7072_6F70
/// The size of the input is wrong. (`'insz'`)
public let kAudioConverterErr_InvalidInputSize: OSStatus = 0x696E_737A
/// The size of the output is wrong. (`'otsz'`)
public let kAudioConverterErr_InvalidOutputSize: OSStatus = 0x6F74_737A
/// An unspecified failure of a converter. (`'what'`)
public let kAudioConverterErr_UnspecifiedError: OSStatus = 0x7768_6174
/// The size of the property is wrong. (`'!siz'`)
public let kAudioConverterErr_BadPropertySizeError: OSStatus = 0x2173_697A
/// Packet descriptions are needed. (`'!pkd'`)
public let kAudioConverterErr_RequiresPacketDescriptionsError: OSStatus = 0x2170_6B64
/// The sample rate of the input is not supported. (`'!isr'`)
public let kAudioConverterErr_InputSampleRateOutOfRange: OSStatus = 0x2169_7372
/// The sample rate of the output is not supported. (`'!osr'`)
public let kAudioConverterErr_OutputSampleRateOutOfRange: OSStatus = 0x216F_7372

/// Success.
public let kAudioCodecNoError: OSStatus = 0
/// An unspecified failure of a codec. (`'what'`)
public let kAudioCodecUnspecifiedError: OSStatus = 0x7768_6174
/// The property is unknown. (`'who?'`)
public let kAudioCodecUnknownPropertyError: OSStatus = 0x7768_6F3F
/// The size of the property is wrong. (`'!siz'`)
public let kAudioCodecBadPropertySizeError: OSStatus = 0x2173_697A
/// The operation is not allowed. (`'nope'`)
public let kAudioCodecIllegalOperationError: OSStatus = 0x6E6F_7065
/// The format is not supported. (`'!dat'`)
public let kAudioCodecUnsupportedFormatError: OSStatus = 0x2164_6174
/// The codec is in a state that excludes this. (`'!stt'`)
public let kAudioCodecStateError: OSStatus = 0x2173_7474
/// The buffer is too small. (`'!buf'`)
public let kAudioCodecNotEnoughBufferSpaceError: OSStatus = 0x2162_7566
/// The data is damaged. (`'bada'`)
public let kAudioCodecBadDataError: OSStatus = 0x6261_6461
