import RecordingKit
import Testing

struct InputLevelMeterTests {
    @Test func outputsCannotBeHeard() {
        let speaker = AudioDevice(id: "s", name: "Speaker", isInput: false, sampleRate: 48_000, channelCount: 2)
        let error = #expect(throws: RecordingError.self) { try InputLevelMeter(speaker) }
        #expect(error?.code == .invalidArgument)
    }

    @Test(arguments: [0, -1, .nan, .infinity]) func impossibleRatesAreRefused(rate: Double) {
        let device = AudioDevice(id: "m", name: "Microphone", isInput: true, sampleRate: rate, channelCount: 1)
        let error = #expect(throws: RecordingError.self) { try InputLevelMeter(device) }
        #expect(error?.code == .invalidArgument)
    }
}
