// Roles of channels, from CoreAudioBaseTypes.h. 1 … 18 are the bit positions of the WAVE channel mask plus one.

/// Unknown, or another use.
public let kAudioChannelLabel_Unknown: AudioChannelLabel = 0xFFFF_FFFF
/// Present without a role.
public let kAudioChannelLabel_Unused: AudioChannelLabel = 0
/// Described by the coordinates alone.
public let kAudioChannelLabel_UseCoordinates: AudioChannelLabel = 100
/// Left.
public let kAudioChannelLabel_Left: AudioChannelLabel = 1
/// Right.
public let kAudioChannelLabel_Right: AudioChannelLabel = 2
/// Centre.
public let kAudioChannelLabel_Center: AudioChannelLabel = 3
/// Low-frequency effects at the screen.
public let kAudioChannelLabel_LFEScreen: AudioChannelLabel = 4
/// Left surround; back left in WAVE files.
public let kAudioChannelLabel_LeftSurround: AudioChannelLabel = 5
/// Right surround; back right in WAVE files.
public let kAudioChannelLabel_RightSurround: AudioChannelLabel = 6
/// Left of centre.
public let kAudioChannelLabel_LeftCenter: AudioChannelLabel = 7
/// Right of centre.
public let kAudioChannelLabel_RightCenter: AudioChannelLabel = 8
/// Rear centre.
public let kAudioChannelLabel_CenterSurround: AudioChannelLabel = 9
/// Left surround direct; side left in WAVE files.
public let kAudioChannelLabel_LeftSurroundDirect: AudioChannelLabel = 10
/// Right surround direct; side right in WAVE files.
public let kAudioChannelLabel_RightSurroundDirect: AudioChannelLabel = 11
/// Above the listener.
public let kAudioChannelLabel_TopCenterSurround: AudioChannelLabel = 12
/// Top front left.
public let kAudioChannelLabel_VerticalHeightLeft: AudioChannelLabel = 13
/// Top front centre.
public let kAudioChannelLabel_VerticalHeightCenter: AudioChannelLabel = 14
/// Top front right.
public let kAudioChannelLabel_VerticalHeightRight: AudioChannelLabel = 15
/// Top back left.
public let kAudioChannelLabel_TopBackLeft: AudioChannelLabel = 16
/// Top back centre.
public let kAudioChannelLabel_TopBackCenter: AudioChannelLabel = 17
/// Top back right.
public let kAudioChannelLabel_TopBackRight: AudioChannelLabel = 18
/// Rear surround left.
public let kAudioChannelLabel_RearSurroundLeft: AudioChannelLabel = 33
/// Rear surround right.
public let kAudioChannelLabel_RearSurroundRight: AudioChannelLabel = 34
/// Left wide.
public let kAudioChannelLabel_LeftWide: AudioChannelLabel = 35
/// Right wide.
public let kAudioChannelLabel_RightWide: AudioChannelLabel = 36
/// Second low-frequency effects channel.
public let kAudioChannelLabel_LFE2: AudioChannelLabel = 37
/// Left of a matrix-encoded pair.
public let kAudioChannelLabel_LeftTotal: AudioChannelLabel = 38
/// Right of a matrix-encoded pair.
public let kAudioChannelLabel_RightTotal: AudioChannelLabel = 39
/// For people hard of hearing.
public let kAudioChannelLabel_HearingImpaired: AudioChannelLabel = 40
/// Narration.
public let kAudioChannelLabel_Narration: AudioChannelLabel = 41
/// Mono.
public let kAudioChannelLabel_Mono: AudioChannelLabel = 42
/// A mix around the dialogue.
public let kAudioChannelLabel_DialogCentricMix: AudioChannelLabel = 43
/// Rear centre, not diffuse.
public let kAudioChannelLabel_CenterSurroundDirect: AudioChannelLabel = 44
/// Data for touch.
public let kAudioChannelLabel_Haptic: AudioChannelLabel = 45
/// Top front left.
public let kAudioChannelLabel_LeftTopFront: AudioChannelLabel = kAudioChannelLabel_VerticalHeightLeft
/// Top front centre.
public let kAudioChannelLabel_CenterTopFront: AudioChannelLabel = kAudioChannelLabel_VerticalHeightCenter
/// Top front right.
public let kAudioChannelLabel_RightTopFront: AudioChannelLabel = kAudioChannelLabel_VerticalHeightRight
/// Top middle left.
public let kAudioChannelLabel_LeftTopMiddle: AudioChannelLabel = 49
/// Top middle centre.
public let kAudioChannelLabel_CenterTopMiddle: AudioChannelLabel = kAudioChannelLabel_TopCenterSurround
/// Top middle right.
public let kAudioChannelLabel_RightTopMiddle: AudioChannelLabel = 51
/// Top rear left.
public let kAudioChannelLabel_LeftTopRear: AudioChannelLabel = 52
/// Top rear centre.
public let kAudioChannelLabel_CenterTopRear: AudioChannelLabel = 53
/// Top rear right.
public let kAudioChannelLabel_RightTopRear: AudioChannelLabel = 54
/// Side surround left.
public let kAudioChannelLabel_LeftSideSurround: AudioChannelLabel = 55
/// Side surround right.
public let kAudioChannelLabel_RightSideSurround: AudioChannelLabel = 56
/// Bottom left.
public let kAudioChannelLabel_LeftBottom: AudioChannelLabel = 57
/// Bottom right.
public let kAudioChannelLabel_RightBottom: AudioChannelLabel = 58
/// Bottom centre.
public let kAudioChannelLabel_CenterBottom: AudioChannelLabel = 59
/// Top surround left.
public let kAudioChannelLabel_LeftTopSurround: AudioChannelLabel = 60
/// Top surround right.
public let kAudioChannelLabel_RightTopSurround: AudioChannelLabel = 61
/// Third low-frequency effects channel.
public let kAudioChannelLabel_LFE3: AudioChannelLabel = 62
/// Back surround left.
public let kAudioChannelLabel_LeftBackSurround: AudioChannelLabel = 63
/// Back surround right.
public let kAudioChannelLabel_RightBackSurround: AudioChannelLabel = 64
/// Left edge of the screen.
public let kAudioChannelLabel_LeftEdgeOfScreen: AudioChannelLabel = 65
/// Right edge of the screen.
public let kAudioChannelLabel_RightEdgeOfScreen: AudioChannelLabel = 66
/// First-order ambisonic W.
public let kAudioChannelLabel_Ambisonic_W: AudioChannelLabel = 200
/// First-order ambisonic X.
public let kAudioChannelLabel_Ambisonic_X: AudioChannelLabel = 201
/// First-order ambisonic Y.
public let kAudioChannelLabel_Ambisonic_Y: AudioChannelLabel = 202
/// First-order ambisonic Z.
public let kAudioChannelLabel_Ambisonic_Z: AudioChannelLabel = 203
/// Mid of a mid/side recording.
public let kAudioChannelLabel_MS_Mid: AudioChannelLabel = 204
/// Side of a mid/side recording.
public let kAudioChannelLabel_MS_Side: AudioChannelLabel = 205
/// X of an X-Y recording.
public let kAudioChannelLabel_XY_X: AudioChannelLabel = 206
/// Y of an X-Y recording.
public let kAudioChannelLabel_XY_Y: AudioChannelLabel = 207
/// Left of a binaural recording.
public let kAudioChannelLabel_BinauralLeft: AudioChannelLabel = 208
/// Right of a binaural recording.
public let kAudioChannelLabel_BinauralRight: AudioChannelLabel = 209
/// Left headphone.
public let kAudioChannelLabel_HeadphonesLeft: AudioChannelLabel = 301
/// Right headphone.
public let kAudioChannelLabel_HeadphonesRight: AudioChannelLabel = 302
/// Click track.
public let kAudioChannelLabel_ClickTrack: AudioChannelLabel = 304
/// Foreign language.
public let kAudioChannelLabel_ForeignLanguage: AudioChannelLabel = 305
/// A discrete channel.
public let kAudioChannelLabel_Discrete: AudioChannelLabel = 400
/// Discrete channel 0.
public let kAudioChannelLabel_Discrete_0: AudioChannelLabel = (1 << 16) | 0
/// Discrete channel 1.
public let kAudioChannelLabel_Discrete_1: AudioChannelLabel = (1 << 16) | 1
/// Discrete channel 2.
public let kAudioChannelLabel_Discrete_2: AudioChannelLabel = (1 << 16) | 2
/// Discrete channel 3.
public let kAudioChannelLabel_Discrete_3: AudioChannelLabel = (1 << 16) | 3
/// Discrete channel 4.
public let kAudioChannelLabel_Discrete_4: AudioChannelLabel = (1 << 16) | 4
/// Discrete channel 5.
public let kAudioChannelLabel_Discrete_5: AudioChannelLabel = (1 << 16) | 5
/// Discrete channel 6.
public let kAudioChannelLabel_Discrete_6: AudioChannelLabel = (1 << 16) | 6
/// Discrete channel 7.
public let kAudioChannelLabel_Discrete_7: AudioChannelLabel = (1 << 16) | 7
/// Discrete channel 8.
public let kAudioChannelLabel_Discrete_8: AudioChannelLabel = (1 << 16) | 8
/// Discrete channel 9.
public let kAudioChannelLabel_Discrete_9: AudioChannelLabel = (1 << 16) | 9
/// Discrete channel 10.
public let kAudioChannelLabel_Discrete_10: AudioChannelLabel = (1 << 16) | 10
/// Discrete channel 11.
public let kAudioChannelLabel_Discrete_11: AudioChannelLabel = (1 << 16) | 11
/// Discrete channel 12.
public let kAudioChannelLabel_Discrete_12: AudioChannelLabel = (1 << 16) | 12
/// Discrete channel 13.
public let kAudioChannelLabel_Discrete_13: AudioChannelLabel = (1 << 16) | 13
/// Discrete channel 14.
public let kAudioChannelLabel_Discrete_14: AudioChannelLabel = (1 << 16) | 14
/// Discrete channel 15.
public let kAudioChannelLabel_Discrete_15: AudioChannelLabel = (1 << 16) | 15
/// Discrete channel 65535.
public let kAudioChannelLabel_Discrete_65535: AudioChannelLabel = (1 << 16) | 65535
/// A channel of higher-order ambisonics in ACN order.
public let kAudioChannelLabel_HOA_ACN: AudioChannelLabel = 500
/// Ambisonic channel number 0, SN3D.
public let kAudioChannelLabel_HOA_ACN_0: AudioChannelLabel = (2 << 16) | 0
/// Ambisonic channel number 1, SN3D.
public let kAudioChannelLabel_HOA_ACN_1: AudioChannelLabel = (2 << 16) | 1
/// Ambisonic channel number 2, SN3D.
public let kAudioChannelLabel_HOA_ACN_2: AudioChannelLabel = (2 << 16) | 2
/// Ambisonic channel number 3, SN3D.
public let kAudioChannelLabel_HOA_ACN_3: AudioChannelLabel = (2 << 16) | 3
/// Ambisonic channel number 4, SN3D.
public let kAudioChannelLabel_HOA_ACN_4: AudioChannelLabel = (2 << 16) | 4
/// Ambisonic channel number 5, SN3D.
public let kAudioChannelLabel_HOA_ACN_5: AudioChannelLabel = (2 << 16) | 5
/// Ambisonic channel number 6, SN3D.
public let kAudioChannelLabel_HOA_ACN_6: AudioChannelLabel = (2 << 16) | 6
/// Ambisonic channel number 7, SN3D.
public let kAudioChannelLabel_HOA_ACN_7: AudioChannelLabel = (2 << 16) | 7
/// Ambisonic channel number 8, SN3D.
public let kAudioChannelLabel_HOA_ACN_8: AudioChannelLabel = (2 << 16) | 8
/// Ambisonic channel number 9, SN3D.
public let kAudioChannelLabel_HOA_ACN_9: AudioChannelLabel = (2 << 16) | 9
/// Ambisonic channel number 10, SN3D.
public let kAudioChannelLabel_HOA_ACN_10: AudioChannelLabel = (2 << 16) | 10
/// Ambisonic channel number 11, SN3D.
public let kAudioChannelLabel_HOA_ACN_11: AudioChannelLabel = (2 << 16) | 11
/// Ambisonic channel number 12, SN3D.
public let kAudioChannelLabel_HOA_ACN_12: AudioChannelLabel = (2 << 16) | 12
/// Ambisonic channel number 13, SN3D.
public let kAudioChannelLabel_HOA_ACN_13: AudioChannelLabel = (2 << 16) | 13
/// Ambisonic channel number 14, SN3D.
public let kAudioChannelLabel_HOA_ACN_14: AudioChannelLabel = (2 << 16) | 14
/// Ambisonic channel number 15, SN3D.
public let kAudioChannelLabel_HOA_ACN_15: AudioChannelLabel = (2 << 16) | 15
/// Ambisonic channel number 65024, SN3D.
public let kAudioChannelLabel_HOA_ACN_65024: AudioChannelLabel = (2 << 16) | 65024
/// Base of ambisonic channels with SN3D normalisation.
public let kAudioChannelLabel_HOA_SN3D: AudioChannelLabel = 2 << 16
/// Base of ambisonic channels with N3D normalisation.
public let kAudioChannelLabel_HOA_N3D: AudioChannelLabel = 3 << 16
/// First of the labels reserved for internal use.
public let kAudioChannelLabel_BeginReserved: AudioChannelLabel = 0xF000_0000
/// Last of the labels reserved for internal use.
public let kAudioChannelLabel_EndReserved: AudioChannelLabel = 0xFFFF_FFFE
