// Format identifiers of CoreAudioBaseTypes.h: four characters, most significant first.

/// Linear PCM; uses the standard flags. (`'lpcm'`)
public let kAudioFormatLinearPCM: AudioFormatID = 0x6C70_636D
/// AC-3; no flags. (`'ac-3'`)
public let kAudioFormatAC3: AudioFormatID = 0x6163_2D33
/// AC-3 packed for IEC 60958 links; standard flags. (`'cac3'`)
public let kAudioFormat60958AC3: AudioFormatID = 0x6361_6333
/// Apple's IMA 4:1 ADPCM, 64 frames in 34 bytes per channel; no flags. (`'ima4'`)
public let kAudioFormatAppleIMA4: AudioFormatID = 0x696D_6134
/// MPEG-4 AAC Low Complexity; no flags. (`'aac '`)
public let kAudioFormatMPEG4AAC: AudioFormatID = 0x6161_6320
/// MPEG-4 CELP; no flags. (`'celp'`)
public let kAudioFormatMPEG4CELP: AudioFormatID = 0x6365_6C70
/// MPEG-4 HVXC; no flags. (`'hvxc'`)
public let kAudioFormatMPEG4HVXC: AudioFormatID = 0x6876_7863
/// MPEG-4 TwinVQ; no flags. (`'twvq'`)
public let kAudioFormatMPEG4TwinVQ: AudioFormatID = 0x7477_7671
/// MACE 3:1; no flags. (`'MAC3'`)
public let kAudioFormatMACE3: AudioFormatID = 0x4D41_4333
/// MACE 6:1; no flags. (`'MAC6'`)
public let kAudioFormatMACE6: AudioFormatID = 0x4D41_4336
/// G.711 µ-law, 2:1; no flags. (`'ulaw'`)
public let kAudioFormatULaw: AudioFormatID = 0x756C_6177
/// G.711 A-law, 2:1; no flags. (`'alaw'`)
public let kAudioFormatALaw: AudioFormatID = 0x616C_6177
/// QDesign music; no flags. (`'QDMC'`)
public let kAudioFormatQDesign: AudioFormatID = 0x5144_4D43
/// QDesign 2 music; no flags. (`'QDM2'`)
public let kAudioFormatQDesign2: AudioFormatID = 0x5144_4D32
/// Qualcomm PureVoice; no flags. (`'Qclp'`)
public let kAudioFormatQUALCOMM: AudioFormatID = 0x5163_6C70
/// MPEG-1/2 layer 1; no flags. (`'.mp1'`)
public let kAudioFormatMPEGLayer1: AudioFormatID = 0x2E6D_7031
/// MPEG-1/2 layer 2; no flags. (`'.mp2'`)
public let kAudioFormatMPEGLayer2: AudioFormatID = 0x2E6D_7032
/// MPEG-1/2 layer 3; no flags. (`'.mp3'`)
public let kAudioFormatMPEGLayer3: AudioFormatID = 0x2E6D_7033
/// A stream of time codes. (`'time'`)
public let kAudioFormatTimeCode: AudioFormatID = 0x7469_6D65
/// A stream of MIDI packet lists; no flags. (`'midi'`)
public let kAudioFormatMIDIStream: AudioFormatID = 0x6D69_6469
/// A side chain of 32-bit float control values; no flags. (`'apvs'`)
public let kAudioFormatParameterValueStream: AudioFormatID = 0x6170_7673
/// Apple Lossless; the flags tell the bit depth of the source. (`'alac'`)
public let kAudioFormatAppleLossless: AudioFormatID = 0x616C_6163
/// MPEG-4 High Efficiency AAC; no flags. (`'aach'`)
public let kAudioFormatMPEG4AAC_HE: AudioFormatID = 0x6161_6368
/// MPEG-4 AAC Low Delay; no flags. (`'aacl'`)
public let kAudioFormatMPEG4AAC_LD: AudioFormatID = 0x6161_636C
/// MPEG-4 AAC Enhanced Low Delay without SBR; no flags. (`'aace'`)
public let kAudioFormatMPEG4AAC_ELD: AudioFormatID = 0x6161_6365
/// MPEG-4 AAC Enhanced Low Delay with SBR; no flags. (`'aacf'`)
public let kAudioFormatMPEG4AAC_ELD_SBR: AudioFormatID = 0x6161_6366
/// MPEG-4 AAC Enhanced Low Delay version 2; no flags. (`'aacg'`)
public let kAudioFormatMPEG4AAC_ELD_V2: AudioFormatID = 0x6161_6367
/// MPEG-4 High Efficiency AAC version 2; no flags. (`'aacp'`)
public let kAudioFormatMPEG4AAC_HE_V2: AudioFormatID = 0x6161_6370
/// MPEG-4 spatial audio; no flags. (`'aacs'`)
public let kAudioFormatMPEG4AAC_Spatial: AudioFormatID = 0x6161_6373
/// MPEG-D Unified Speech and Audio Coding; no flags. (`'usac'`)
public let kAudioFormatMPEGD_USAC: AudioFormatID = 0x7573_6163
/// AMR narrow band; no flags. (`'samr'`)
public let kAudioFormatAMR: AudioFormatID = 0x7361_6D72
/// AMR wide band; no flags. (`'sawb'`)
public let kAudioFormatAMR_WB: AudioFormatID = 0x7361_7762
/// Audible audio books; no flags. (`'AUDB'`)
public let kAudioFormatAudible: AudioFormatID = 0x4155_4442
/// iLBC narrow-band speech; no flags. (`'ilbc'`)
public let kAudioFormatiLBC: AudioFormatID = 0x696C_6263
/// DVI/Intel IMA ADPCM, ACM code 17.
public let kAudioFormatDVIIntelIMA: AudioFormatID = 0x6D73_0011
/// Microsoft GSM 6.10, ACM code 49.
public let kAudioFormatMicrosoftGSM: AudioFormatID = 0x6D73_0031
/// AES3-2003 as in SMPTE 302M; no flags. (`'aes3'`)
public let kAudioFormatAES3: AudioFormatID = 0x6165_7333
/// Enhanced AC-3; no flags. (`'ec-3'`)
public let kAudioFormatEnhancedAC3: AudioFormatID = 0x6563_2D33
/// FLAC; the flags tell the bit depth of the source. (`'flac'`)
public let kAudioFormatFLAC: AudioFormatID = 0x666C_6163
/// Opus; no flags. (`'opus'`)
public let kAudioFormatOpus: AudioFormatID = 0x6F70_7573
/// Apple Positional Audio Codec; no flags. (`'apac'`)
public let kAudioFormatAPAC: AudioFormatID = 0x6170_6163
