import AudioCore
import MediaContainers
import TestSupport
import Testing

/// Markers and gaps come back exactly, from every kind of file, while it is recorded and afterwards.
@Suite struct NoteRoundTripTests {
    private static let recording = WriterOptions(noteRoom: WriterOptions.recordingNoteRoom)

    @Test(arguments: NoteTake.Format.all, [0, 1, 40])
    func notesThatComeWhileRecording(format: NoteTake.Format, count: Int) throws {
        var take = try NoteTake(format, options: Self.recording)
        let notes = Notes.some(count)
        var given: [RecordingNote] = []
        for (index, note) in notes.enumerated() {
            try take.append(upTo: 0.9 * Double(index) / Double(count))
            try take.writer.note(note)
            given.append(note)
            if index % 7 != 0 { continue }
            try take.writer.checkpoint(synchronize: index % 2 == 0)
            #expect(try take.metadata.difference(from: given) == nil, "after \(index)")
        }
        try take.finish()
        #expect(try take.metadata.difference(from: notes) == nil)
        let reader = try take.open(take.file)
        #expect(reader.integrity == .complete)
        #expect(reader.validFrames == FrameCount(take.frames))
        #expect(reader.metadata.omittedNotes == 0)
    }

    @Test(arguments: NoteTake.Format.all)
    func hundredsOfNotesHaveRoom(format: NoteTake.Format) throws {
        var take = try NoteTake(format, options: Self.recording)
        // Ogg keeps all that changes inside sectors; tables of CAF share the room that libsndfile reads.
        let isTable = format.container == .caf && take.stream.bytesPerPacket == 0
        let notes = Notes.some(format.container == .oggOpus ? 90 : isTable ? 200 : 300)
        for note in notes { try take.writer.note(note) }
        try take.writer.checkpoint(synchronize: false)
        #expect(try take.metadata.difference(from: notes) == nil)
        try take.finish()
        #expect(try take.metadata.difference(from: notes) == nil)
        let slack = try take.file.size() - Int64(take.packets.reduce(0) { $0 + $1.bytes.count })
        #expect(slack <= 64 << 10, "\(slack) bytes beside the audio")
    }

    @Test(arguments: NoteTake.Format.all, [1, 300])
    func notesThatAreKnownBefore(format: NoteTake.Format, count: Int) throws {
        let notes = Notes.some(count)
        var metadata = Notes.metadata(notes)
        metadata.title = "Öğle arası"
        var take = try NoteTake(format, options: WriterOptions(metadata: metadata))
        try take.append(upTo: 0.5)
        try take.writer.checkpoint(synchronize: false)
        #expect(try take.metadata.difference(from: notes) == nil)
        try take.finish()
        #expect(try take.metadata.difference(from: notes) == nil)
        #expect(try take.metadata.title == "Öğle arası")
    }

    @Test(arguments: NoteTake.Format.all, [true, false])
    func oddNames(format: NoteTake.Format, isKnownBefore: Bool) throws {
        let notes = Notes.named(Notes.oddNames)
        let options = isKnownBefore ? WriterOptions(metadata: Notes.metadata(notes)) : Self.recording
        var take = try NoteTake(format, options: options)
        if !isKnownBefore { for note in notes { try take.writer.note(note) } }
        try take.writer.checkpoint(synchronize: false)
        #expect(try take.metadata.difference(from: notes) == nil)
        try take.finish()
        #expect(try take.metadata.difference(from: notes) == nil)
    }

    /// A name longer than there is room for ends early, between two characters.
    @Test(arguments: NoteTake.Format.all)
    func longNames(format: NoteTake.Format) throws {
        let name = String(repeating: "şarkı 🎙 ", count: 1_000)
        var take = try NoteTake(format, options: Self.recording)
        try take.writer.note(.marker(MediaMetadata.Marker(frame: 5, name: name)))
        try take.writer.note(.marker(MediaMetadata.Marker(frame: 6, name: "next")))
        try take.finish()
        let markers = try take.metadata.markers
        try #require(markers.count == 2)
        #expect(name.hasPrefix(markers[0].name) && markers[0].name.utf8.count >= 140)
        #expect(markers[1].name == "next")
    }

    @Test(arguments: NoteTake.Format.all)
    func whatFindsNoRoomIsCounted(format: NoteTake.Format) throws {
        var take = try NoteTake(format, options: WriterOptions(noteRoom: 2_000))
        let notes = Notes.some(400)
        for note in notes {
            try take.writer.note(note)
            try take.writer.checkpoint(synchronize: false)
        }
        for isFinished in [false, true] {
            if isFinished { try take.finish() }
            let metadata = try take.metadata
            #expect(metadata.omittedNotes > 100)
            #expect(metadata.notes.count + metadata.omittedNotes == 400)
            let isBeginning = Set(notes).isSuperset(of: metadata.notes) && metadata.notes.first == notes.first
            #expect(isBeginning)
        }
    }

    /// A microphone that stutters leaves room for the user's own places.
    @Test func gapsDoNotTakeAllOfTheRoom() throws {
        var take = try NoteTake(
            NoteTake.Format(codec: LivePCMTakes.linear(16), container: .wav),
            options: Self.recording
        )
        for index in 0..<2_000 {
            try take.writer.note(.gap(RecordingGap(start: FrameCount(index * 2), length: 1, reason: .overrun)))
        }
        for note in Notes.named(["one", "two"]) { try take.writer.note(note) }
        try take.finish()
        let metadata = try take.metadata
        #expect(metadata.markers.map(\.name) == ["one", "two"])
        #expect(metadata.gaps.count + metadata.omittedNotes == 2_000 && metadata.gaps.count > 100)
    }

    /// Opus runs at 48 kHz in its file, whatever the recording was asked for.
    @Test func opusOfAnotherRate() throws {
        let format = NoteTake.Format(codec: .opus, container: .oggOpus, rate: 24_000)
        let gap = RecordingGap(start: 12_001, length: 500, reason: .asleep)
        for isKnownBefore in [true, false] {
            let notes = Notes.named(["a", "b"]) + [.gap(gap)]
            var take = try NoteTake(
                format,
                options: isKnownBefore ? WriterOptions(metadata: Notes.metadata(notes)) : Self.recording
            )
            if !isKnownBefore { for note in notes { try take.writer.note(note) } }
            try take.finish()
            let metadata = try take.metadata
            #expect(metadata.markers.map(\.frame) == [2, 2_002])
            #expect(metadata.gaps == [RecordingGap(start: 24_002, length: 1_000, reason: .asleep)])
        }
    }

    /// Without notes and without room for any, nothing is in the file that was not there before.
    @Test(arguments: NoteTake.Format.all)
    func aFileWithoutRoomStaysSmall(format: NoteTake.Format) throws {
        var take = try NoteTake(format, options: WriterOptions())
        try take.writer.note(.marker(MediaMetadata.Marker(frame: 1, name: "no room")))
        try take.finish()
        #expect(try take.metadata.notes == [])
        let slack = try take.file.size() - Int64(take.packets.reduce(0) { $0 + $1.bytes.count })
        #expect(slack < 54 << 10)
    }
}
