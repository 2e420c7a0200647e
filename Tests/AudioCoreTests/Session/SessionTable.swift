/// What Apple's documents say of the session, written out, to hold the code against. Nothing here is computed.
enum SessionTable {
    /// Which mode goes with which category.
    ///
    /// Source: the comments on each mode in AVAudioSessionTypes.h ("only valid with …"). `HFP`: only with that option
    /// (dualRoute, iOS 26.2).
    static let modes = """
                        Ambient  SoloAmbient  Playback  Record  PlayAndRecord  MultiRoute
        Default         yes      yes          yes       yes     yes            yes
        VoiceChat       -        -            -         -       yes            -
        GameChat        -        -            -         -       yes            -
        VideoRecording  -        -            -         yes     yes            -
        Measurement     yes      yes          yes       yes     yes            yes
        MoviePlayback   -        -            yes       -       -              -
        VideoChat       -        -            -         -       yes            -
        SpokenAudio     yes      yes          yes       yes     yes            yes
        VoicePrompt     yes      yes          yes       yes     yes            yes
        ShortFormVideo  -        -            yes       -       -              -
        DualRoute       -        -            -         -       -              HFP
        """

    /// Which option goes with which category.
    ///
    /// Source: the comments on each option in AVAudioSessionTypes.h. `default`: only with that mode. `dual`: only with the mode
    /// dualRoute. `HFP`: only with that option. `duckOthers` with Record: Apple's speech sample (SpokenWord) sets it.
    static let options = """
                                             Ambient  SoloAmbient  Playback  Record       PlayAndRecord  MultiRoute
        mixWithOthers                        yes      -            yes       -            yes            default
        duckOthers                           yes      -            yes       yes          yes            default
        allowBluetoothHFP                    -        -            -         yes          yes            dual
        defaultToSpeaker                     -        -            -         -            yes            -
        interruptSpokenAudioAndMixWithOthers -        -            yes       -            yes            default
        allowBluetoothA2DP                   yes      yes          yes       -            yes            -
        allowAirPlay                         yes      yes          yes       -            yes            -
        overrideMutedMicrophoneInterruption  -        -            -         yes          yes            yes
        farFieldInput                        -        -            -         HFP          HFP            dual+HFP
        bluetoothHighQualityRecording        -        -            -         default      default        default
        """

    /// What becomes of others, by the strongest option that is set; the first row that fits counts.
    ///
    /// Source: the comments on categories and options in AVAudioSessionTypes.h; table B-1 of the Audio Session Programming
    /// Guide ("silences other audio"); that Record silences all playback is the comment on the category.
    static let manners = """
        category Record                              exclusive
        option interruptSpokenAudioAndMixWithOthers  interruptingSpeech
        option duckOthers                            ducking
        option mixWithOthers                         mixing
        category Ambient                             mixing
        category SoloAmbient                         exclusive
        category Playback                            exclusive
        category PlayAndRecord                       exclusive
        category MultiRoute                          exclusive
        """

    /// What an active session does about an event. `-`: nothing. Columns: a session that silences others, one that does not.
    ///
    /// Source: AVAudioSession.h on `interruptionNotification` and its reasons (0 another session, 1 suspended, 2 microphone
    /// muted, 4 route disconnected); "Handling audio interruptions" (the system pauses; an end may never come; Siri's gives no
    /// resume); AVAudioSession.h on `setPrefersNoInterruptionsFromSystemAlerts` and
    /// `setPrefersInterruptionOnRouteDisconnect` (only the app that plays now is interrupted by it, other players pause).
    static let events = """
        event                           | silencing                                          | beside others
        call began                      | pause,began 0                                      | pause,began 0
        call ended to resume            | ended 1                                            | ended 1
        call ended                      | ended 0                                            | ended 0
        alarm began                     | pause,began 0                                      | pause,began 0
        alarm ended to resume           | ended 1                                            | ended 1
        alarm ended                     | ended 0                                            | ended 0
        server began                    | pause,began 0                                      | pause,began 0
        server ended to resume          | ended 1                                            | ended 1
        server ended                    | ended 0                                            | ended 0
        assistant began                 | pause,began 0                                      | pause,began 0
        assistant ended to resume       | ended 0                                            | ended 0
        assistant ended                 | ended 0                                            | ended 0
        otherProgram began              | pause,began 0                                      | speech: pause,began 0
        otherProgram ended to resume    | ended 1                                            | speech: ended 1
        otherProgram ended              | ended 0                                            | speech: ended 0
        suspended began                 | pause,began 1                                      | pause,began 1
        suspended ended to resume       | -                                                  | -
        suspended ended                 | -                                                  | -
        microphoneMuted began           | microphone: pause,began 2                          | microphone: pause,began 2
        microphoneMuted ended to resume | microphone: ended 1                                | microphone: ended 1
        microphoneMuted ended           | microphone: ended 0                                | microphone: ended 0
        headphones out                  | Playback: pause,began 4,route; pause players,route | pause players,route
        device in                       | route                                              | route
        others primary                  | hint 1                                             | hint 1
        services lost                   | lost                                               | lost
        """
}
