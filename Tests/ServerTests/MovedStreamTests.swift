import AVFAudio
import TestSupport
import Testing

/// Streams that the user moves in a mixer, and devices that the server changes or puts to sleep: what the session tells is the
/// same on real servers and in simulation.
@Suite("Streams that are put elsewhere", .serialized)
struct MovedStreamTests {
    @Test(
        "moved by the user: told as that, nothing is paused, and the route comes back with the end",
        arguments: MovedStage.allCases
    )
    func moved(_ stage: MovedStage) async throws {
        let bench = try await MovedBench(stage)
        let recorder = try await bench.startRecorder()
        let player = try await bench.startPlayer()
        try bench.hands.moveRecorder("mic", "other")
        await bench.told("route 4 → other, desk")
        try bench.hands.movePlayer("desk", "headphones")
        await bench.told("route 4 → other, headphones")
        await bench.goesOn(player)
        player.stop()
        await bench.told("route 4 → other, desk", times: 2)
        await bench.goesOn(recorder)
        recorder.stop()
        await bench.told("route 4 → mic, desk")
        #expect(
            bench.log.all == [
                "route 3 → mic, desk", "records", "plays", "route 4 → other, desk", "route 4 → other, headphones",
                "plays on",
                "route 4 → other, desk", "records on", "route 4 → mic, desk",
            ]
        )
    }

    // PipeWire wakes a device that is in use at once.
    @Test("put to sleep and woken: the same route in another state", arguments: [MovedStage.pulseAudio, .simulated])
    func asleep(_ stage: MovedStage) async throws {
        let bench = try await MovedBench(stage)
        let recorder = try await bench.startRecorder()
        let player = try await bench.startPlayer()
        let changed = "route 8 → mic, desk"
        try bench.hands.suspend("desk", true)
        await bench.told(changed)
        try bench.hands.suspend("desk", false)
        await bench.told(changed, times: 2)
        await bench.goesOn(player)
        player.stop()
        try bench.hands.suspend("mic", true)
        await bench.told(changed, times: 3)
        try bench.hands.suspend("mic", false)
        await bench.told(changed, times: 4)
        await bench.goesOn(recorder)
        recorder.stop()
        #expect(
            bench.log.all == [
                "route 3 → mic, desk", "records", "plays", changed, changed, "plays on", changed, changed, "records on",
            ]
        )
    }

    @Test("another default device takes its streams along: told once", arguments: MovedStage.allCases)
    func defaults(_ stage: MovedStage) async throws {
        let bench = try await MovedBench(stage)
        let recorder = try await bench.startRecorder()
        let player = try await bench.startPlayer()
        try bench.hands.setDefaultOutput("headphones")
        await bench.told("route 4 → mic, headphones")
        await bench.goesOn(player)
        try bench.hands.setDefaultInput("other")
        await bench.told("route 4 → other, headphones")
        await bench.goesOn(recorder)
        try bench.hands.setDefaultOutput("desk")
        await bench.told("route 4 → other, desk")
        await bench.goesOn(player)
        player.stop()
        recorder.stop()
        #expect(
            bench.log.all == [
                "route 3 → mic, desk", "records", "plays", "route 4 → mic, headphones", "plays on",
                "route 4 → other, headphones", "records on", "route 4 → other, desk", "plays on",
            ]
        )
    }

    @Test("headphones that the user has put a player on are pulled: it pauses", arguments: MovedStage.allCases)
    func pulled(_ stage: MovedStage) async throws {
        let bench = try await MovedBench(stage)
        let player = try await bench.startPlayer()
        try bench.hands.movePlayer("desk", "headphones")
        await bench.told("route 4 → mic, headphones")
        await bench.goesOn(player)
        try bench.hands.pullHeadphones()
        await bench.told("route 2 → mic, desk")
        #expect(await eventually { !player.isPlaying })
        let time = player.currentTime
        // What went on over the loudspeaker would be some hundred milliseconds further by now.
        try await Task.sleep(for: .milliseconds(300))
        #expect(!player.isPlaying && player.currentTime == time)
        // Whoever wants to hear it there asks for it.
        #expect(player.play())
        await bench.goesOn(player)
        player.stop()
        #expect(
            bench.log.all == [
                "route 3 → mic, desk", "plays", "route 4 → mic, headphones", "plays on", "route 2 → mic, desk",
                "plays on",
            ]
        )
    }
}
