extension ForeignFile {
    /// What we read otherwise than it went in, and why; nil where it is the same.
    func deviation(_ take: Take) -> Deviation? {
        let format = name.drop { $0 != "." }.dropFirst()
        if command.contains("adpcm_ima_qt") || command.contains("-ima-adpcm") {
            return .frames(take.padding(64), "padded to 64: the file does not state the end")
        }
        if format == "w64", command.contains("pcm_s24le") {
            let frame = 3 * take.channels
            let padding = (8 - take.frames * frame % 8) % 8
            return .frames(padding / frame, "FFmpeg counts the padding to 8 bytes")
        }
        if command.contains("empty_moov") {
            return .frames(1024, late: 1024, "1024 late: the file does not state the priming")
        }
        if command.contains("-c:a aac"), ["aac", "mka"].contains(format) {
            let extra = 1024 + take.padding(1024, priming: 1024)
            return .frames(extra, late: 1024, "1024 late, and padded: the file states neither")
        }
        if ["ac3", "eac3"].contains(format) {
            return .frames(
                256 + take.padding(1536, priming: 256),
                late: 256,
                "256 late, and padded: the file states neither"
            )
        }
        if command.contains("libopus"), format == "caf" {
            return .frames(
                312 + take.padding(960, priming: 312),
                late: 312,
                "312 late, and padded: the file states neither"
            )
        }
        if command.contains("sox IN -C 128") || command.contains("lamemp3enc") || command.contains("-V 2 -t") {
            // Cut is the delay that every decoder of MP3 has, 529.
            let packets = (take.frames + 1105 + 1151) / 1152
            return .frames(
                packets * 1152 - 529 - take.frames,
                late: 576,
                "576 late, and padded: the file states neither"
            )
        }
        if command.contains("voaacenc") {
            let reason = "1600 late: the file does not state the priming; GStreamer drops the last packet"
            return .frames(take.frames / 1024 * 1024 - take.frames, late: 1600, reason)
        }
        if command.contains("avenc_aac") {
            return .frames(1024, late: 1024, "1024 late: the file does not state the priming")
        }
        if format == "ogg", !command.contains("vorbisenc") || take.channels == 2 {
            return .frames(-128, "the last 128 frames are missing")
        }
        if format == "aifc", command.contains("law"), command.contains("sndfile"), take.frames * take.channels % 2 == 1
        {
            return .frames(1, "an odd number of bytes: libsndfile counts the padding")
        }
        return nil
    }
}
