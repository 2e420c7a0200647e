// Types and constants of AudioServices.h.

public import CoreAudioTypes

/// A system sound: one that ``AudioServicesCreateSystemSoundID(_:_:)`` has made of a file, or a number of the system's.
public typealias SystemSoundID = UInt32

/// A property of a system sound.
public typealias AudioServicesPropertyID = UInt32

/// Called when a system sound has ended.
///
/// - Parameters:
///   - ssID: the sound.
///   - clientData: what was given when the routine was added.
public typealias AudioServicesSystemSoundCompletionProc =
    @convention(c) (_ ssID: SystemSoundID, _ clientData: UnsafeMutableRawPointer?) -> Void

/// Success.
public let kAudioServicesNoError: OSStatus = 0
/// The property is not supported. (`'pty?'`)
public let kAudioServicesUnsupportedPropertyError: OSStatus = 0x7074_793F
/// The size of the property's data is wrong. (`'!siz'`)
public let kAudioServicesBadPropertySizeError: OSStatus = 0x2173_697A
/// The size of the specifier's data is wrong. (`'!spc'`)
public let kAudioServicesBadSpecifierSizeError: OSStatus = 0x2173_7063
/// The file cannot be played as a system sound, or there is no such sound.
public let kAudioServicesSystemSoundUnspecifiedError: OSStatus = -1500
/// The program waited too long for the sounds of the system. Not given here: nothing is waited for.
public let kAudioServicesSystemSoundClientTimedOutError: OSStatus = -1501
/// The sound lasts longer than 30 seconds.
public let kAudioServicesSystemSoundExceededMaximumDurationError: OSStatus = -1502

/// The alert sound that the user has chosen: the "bell" of the desktop's sound theme.
public let kSystemSoundID_UserPreferredAlert: SystemSoundID = 0x1000
/// A flash of the screen. No desktop offers it to programs: nothing happens, and the completion comes.
public let kSystemSoundID_FlashScreen: SystemSoundID = 0xFFE
/// The former name of ``kSystemSoundID_UserPreferredAlert``.
public let kUserPreferredAlert: SystemSoundID = kSystemSoundID_UserPreferredAlert
/// A short vibration, where the machine can: on phones with feedbackd. Elsewhere nothing happens, and the completion comes.
public let kSystemSoundID_Vibrate: SystemSoundID = 0xFFF

/// A `UInt32`: 1 (the default) has the sound be silent where the user does not want sounds that answer what they do (the
/// desktop's "event sounds"), 0 plays it always. The specifier is the ``SystemSoundID``. (`'isui'`)
public let kAudioServicesPropertyIsUISound: AudioServicesPropertyID = 0x6973_7569
/// A `UInt32`: 1 asks that the sound be played to its end also when the program ends; the default is 0. Kept here, without
/// effect: sounds end with their program. The specifier is the ``SystemSoundID``. (`'ifdi'`)
public let kAudioServicesPropertyCompletePlaybackIfAppDies: AudioServicesPropertyID = 0x6966_6469
