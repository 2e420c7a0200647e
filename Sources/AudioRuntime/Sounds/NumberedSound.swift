/// A sound that Apple's systems have under a number, and what a desktop has in its place.
///
/// The numbers are not documented by Apple; they are what programs use. The names of the desktop are those of
/// freedesktop.org's Sound Naming Specification: a theme that has not the whole name may have its beginning.
package struct NumberedSound: Sendable, Hashable {
    package var number: UInt32
    /// What people call it.
    package var title: String
    /// The name of the desktop; nil where nothing comes near.
    package var name: String?

    init(_ number: UInt32, _ title: String, _ name: String?) {
        self.number = number
        self.title = title
        self.name = name
    }

    /// The sound of a number; nil where the number means nothing.
    package static func find(_ number: UInt32) -> NumberedSound? { byNumber[number] }

    private static let byNumber = Dictionary(uniqueKeysWithValues: all.map { ($0.number, $0) })

    package static let all: [NumberedSound] =
        messages + devices + calls + keys + recording + [
            NumberedSound(alert, "alert sound of the user", "bell"),
            NumberedSound(flash, "flash of the screen", nil),
        ]

    /// `kSystemSoundID_UserPreferredAlert`.
    package static let alert: UInt32 = 0x1000
    /// `kSystemSoundID_Vibrate`.
    package static let vibration: UInt32 = 0xFFF
    /// `kSystemSoundID_FlashScreen`.
    static let flash: UInt32 = 0xFFE
    /// Above this number are the sounds that programs make.
    static let lastOfSystem: UInt32 = alert

    private static let messages: [NumberedSound] =
        [
            NumberedSound(1000, "new mail", "message-new-email"),
            NumberedSound(1001, "mail sent", "message-sent-email"),
            NumberedSound(1002, "voice mail", "message-new-instant"),
            NumberedSound(1003, "message received", "message-new-instant"),
            NumberedSound(1004, "message sent", "message-sent-instant"),
            NumberedSound(1005, "calendar alert", "alarm-clock-elapsed"),
            NumberedSound(1015, "voice mail", "message-new-instant"),
            NumberedSound(1016, "post sent", "message-sent-instant"),
            NumberedSound(1300, "voice mail", "message-new-instant"),
            NumberedSound(1301, "message received", "message-new-instant"),
            NumberedSound(1302, "new mail", "message-new-email"),
            NumberedSound(1303, "mail sent", "message-sent-email"),
            NumberedSound(1304, "calendar alert", "alarm-clock-elapsed"),
            NumberedSound(1305, "lock", "desktop-screen-lock"),
            NumberedSound(1306, "key pressed (tock)", "button-pressed"),
            NumberedSound(1315, "voice mail", "message-new-instant"),
        ]
        + ([1007, 1008, 1009, 1010, 1012, 1013, 1014] + Array(1307...1314)).map {
            NumberedSound($0, "text message", "message-new-instant")
        }
        + (Array(1020...1036) + Array(1320...1336)).map { NumberedSound($0, "text tone", "message-new-instant") }

    private static let devices: [NumberedSound] =
        [
            NumberedSound(1006, "low power", "battery-low"),
            NumberedSound(1050, "network message", "dialog-information"),
            NumberedSound(1051, "call dropped", "phone-failure"),
            NumberedSound(1052, "beep of the SIM", "bell"),
            NumberedSound(1053, "refused by the SIM", "dialog-error"),
            NumberedSound(1054, "accepted by the SIM", "complete"),
            NumberedSound(1055, "message of the SIM", "message-new-instant"),
            NumberedSound(1100, "screen locked", "desktop-screen-lock"),
            NumberedSound(1101, "screen unlocked", "desktop-screen-unlock"),
            NumberedSound(1102, "unlocking failed", "dialog-error"),
            NumberedSound(1106, "connected to power", "power-plug"),
            NumberedSound(1107, "ringer switched", "audio-volume-change"),
            NumberedSound(1108, "camera shutter", "camera-shutter"),
            NumberedSound(1109, "shaken", "complete"),
        ] + vibrations.map { NumberedSound($0, "vibration", nil) }

    /// Those that vibrate and make no sound.
    static let vibrations: Set<UInt32> = [1011, 1350, 1351, vibration]

    private static let calls: [NumberedSound] = [
        NumberedSound(1070, "busy", "phone-outgoing-busy"),
        NumberedSound(1071, "congestion", "phone-outgoing-busy"),
        NumberedSound(1072, "path acknowledged", "phone-outgoing-calling"),
        NumberedSound(1073, "call failed", "phone-failure"),
        NumberedSound(1074, "call waiting", "phone-incoming-call"),
        NumberedSound(1075, "key tone", nil),
        NumberedSound(1150, "invitation accepted", "complete"),
        NumberedSound(1151, "ringing", "phone-outgoing-calling"),
        NumberedSound(1152, "call ended", "phone-hangup"),
        NumberedSound(1153, "call waiting", "phone-incoming-call"),
        NumberedSound(1154, "ringing", "phone-outgoing-calling"),
    ]

    private static let keys: [NumberedSound] =
        [
            NumberedSound(1057, "key pressed (tink)", "button-pressed"),
            NumberedSound(1103, "key pressed (tink)", "button-pressed"),
            NumberedSound(1104, "key pressed (tock)", "button-pressed"),
            NumberedSound(1105, "key pressed (tock)", "button-pressed"),
        ]
        // Tones of a telephone's keys: desktops have no sounds for them.
        + (1200...1211).map { NumberedSound($0, "telephone key \(Array("0123456789*#")[Int($0) - 1200])", nil) }

    private static let recording: [NumberedSound] = [
        NumberedSound(1110, "assistant begins", "dialog-question"),
        NumberedSound(1111, "assistant agrees", "complete"),
        NumberedSound(1112, "assistant cancels", "dialog-warning"),
        NumberedSound(1113, "recording begins", "dialog-information"),
        NumberedSound(1114, "recording ends", "complete"),
        NumberedSound(1115, "assistant asks", "dialog-question"),
        NumberedSound(1116, "assistant found nothing", "dialog-error"),
        NumberedSound(1117, "filming begins", "dialog-information"),
        NumberedSound(1118, "filming ends", "complete"),
    ]
}
