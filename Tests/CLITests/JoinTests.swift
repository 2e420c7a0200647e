import Foundation
import TestSupport
import Testing

/// `kayit join`.
struct JoinTests {
    @Test func recordingsAreJoinedToTheFrame() throws {
        let folder = try TemporaryFolder()
        #expect(try RunningKayit(["record", "a.flac", "-d", "0.3"], in: folder).wait() == 0)
        #expect(try RunningKayit(["record", "b.flac", "-d", "0.2"], in: folder).wait() == 0)
        let kayit = try RunningKayit(["join", "--json", "all.flac", "a.flac", "b.flac"], in: folder)
        #expect(kayit.wait() == 0)
        #expect(kayit.objects?.first?["frames"] as? Int == 22_050)
        let again = try RunningKayit(["join", "all.flac", "a.flac"], in: folder)
        #expect(again.wait() == 73)
        #expect(again.errors.contains("there already"))
    }

    @Test func whatWouldClickIsRefusedWithTheReason() throws {
        let folder = try TemporaryFolder()
        #expect(try RunningKayit(["record", "a.m4a", "-d", "0.3"], in: folder).wait() == 0)
        #expect(try RunningKayit(["record", "b.m4a", "-d", "0.2"], in: folder).wait() == 0)
        let kayit = try RunningKayit(["join", "all.m4a", "a.m4a", "b.m4a"], in: folder)
        #expect(kayit.wait() == 65)
        #expect(kayit.errors.contains("without decoding"))
        #expect(folder.names == ["a.m4a", "b.m4a"])
        #expect(try RunningKayit(["join", "all.m4a"], in: folder).wait() == 64)
    }
}
