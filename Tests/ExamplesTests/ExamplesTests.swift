import Foundation
import Testing

import TestSupport

/// The examples are programs that check their own promises; here they run, and an independent reader looks at their files.
@Suite struct ExamplesTests {
    @Test func recordAndPlay() throws {
        let visit = try Visit("RecordAndPlay")
        visit.expectKept(["A01", "A02", "A03", "A04", "A05", "A06", "A07", "A08", "A09"])
        let take = try #require(visit.notes(of: "A04").first)
        #expect(try Probe(file: take) == Probe(codec: "alac", sampleRate: 44100, channels: 1))
    }

    @Test func recordAndPlayWithoutASession() throws {
        let visit = try Visit(
            "RecordAndPlay",
            "refused",
            environment: ["KAYIT_AUDIO": "pulse", "PULSE_SERVER": "unix:/nonexistent/socket"]
        )
        visit.expectKept(["A02"])
    }

    @Test func recordAndPlayOnAFullDisk() throws {
        let visit = try Visit("RecordAndPlay", "cut-short", fileLimit: 232 << 10)
        visit.expectKept(["A06"])
        let take = try #require(visit.notes(of: "A04").first)
        #expect(try Probe(file: take) == Probe(codec: "alac", sampleRate: 44100, channels: 1))
    }

    @Test func recordAgain() throws {
        let visit = try Visit("RecordAgain")
        visit.expectKept(["B01", "B02", "B03", "B04", "B06"])
        let take = try #require(visit.notes(of: "B03").first)
        #expect(take == visit.folder.path("Documents/recording.m4a"))
        #expect(try Probe(file: take) == Probe(codec: "aac", sampleRate: 12000, channels: 1))
    }

    @Test func recordAgainWithoutAMicrophone() throws {
        let visit = try Visit(
            "RecordAgain",
            "refused",
            environment: ["KAYIT_AUDIO": "pulse", "PULSE_SERVER": "unix:/nonexistent/socket"]
        )
        visit.expectKept(["B01", "B02"])
    }

    @Test func recordAgainEndedByTheSystem() throws {
        let visit = try Visit("RecordAgain", "ended", fileLimit: 80 << 10)
        visit.expectKept(["B05"])
        let take = try #require(visit.notes(of: "B05").first)
        #expect(try Probe(file: take) == Probe(codec: "aac", sampleRate: 12000, channels: 1))
    }

    @Test func timestampRecorder() throws {
        let visit = try Visit("TimestampRecorder")
        visit.expectKept(["D04", "D05"])
        let take = try #require(visit.notes(of: "D04").first)
        #expect(try Probe(file: take) == Probe(codec: "adpcm_ima_qt", sampleRate: 44100, channels: 2))
    }

    @Test func musicPlayer() throws { try Visit("MusicPlayer").expectKept(["E03"]) }

    @Test func musicPlayerWithoutASpeaker() throws {
        let visit = try Visit(
            "MusicPlayer",
            "silent",
            environment: ["KAYIT_AUDIO": "pulse", "PULSE_SERVER": "unix:/nonexistent/socket"]
        )
        visit.expectKept(["E03"])
    }

    @Test func backgroundRecorder() throws {
        let visit = try Visit("BackgroundRecorder")
        visit.expectKept(["A02", "A03", "B01", "B02", "C01", "C02", "C03", "C04", "C05", "C06"])
        let take = try #require(visit.notes(of: "C03").first)
        #expect(try Probe(file: take) == Probe(codec: "aac", sampleRate: 44100, channels: 1))
    }

    @Test func backgroundRecorderWithoutLeave() throws {
        try Visit("BackgroundRecorder", "refused").expectKept(["B01"])
    }
}
