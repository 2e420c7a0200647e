import AudioCore
import TestSupport
import Testing

@Suite("Timeline of a player")
struct PlaybackTimelineTests {
    @Test("each frame that was given out stands where the rates before it have led")
    func lines() {
        var timeline = PlaybackTimeline(source: 1_000)
        timeline.extend(by: 100, rate: 1)
        timeline.extend(by: 100, rate: 2)
        timeline.extend(by: 50, rate: 2)
        timeline.extend(by: 100, rate: 0.5)
        #expect(timeline.given == 350)
        #expect(timeline.source == 1_450)
        #expect(timeline.source(at: 0) == 1_000)
        #expect(timeline.source(at: 100) == 1_100)
        #expect(timeline.source(at: 150) == 1_200)
        #expect(timeline.source(at: 250) == 1_400)
        #expect(timeline.source(at: 252) == 1_401)
        #expect(timeline.source(at: -5) == 1_000, "nothing lies before the beginning")
        #expect(timeline.source(at: .max) == timeline.source, "nothing lies behind the end")
    }

    @Test("a jump counts for what is given out after it")
    func jumps() {
        var timeline = PlaybackTimeline()
        timeline.extend(by: 10, rate: 1.5)
        timeline.jump(to: 18)
        #expect(timeline.source(at: 9) == 13.5)
        #expect(timeline.source(at: 10) == 18)
        timeline.extend(by: 4, rate: 1)
        #expect(timeline.source == 22)
    }

    @Test("what is forgotten costs no memory, and the rest stays true")
    func forgets() {
        var timeline = PlaybackTimeline()
        for index in 0..<1_000 {
            timeline.extend(by: 100, rate: index.isMultiple(of: 2) ? 1 : 2)
            timeline.forget(before: timeline.given - 450)
            #expect(timeline.lineCount <= 6)
        }
        #expect(timeline.source == 150_000)
        #expect(timeline.source(at: timeline.given - 100) == 149_800)
    }
}
