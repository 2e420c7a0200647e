/// What `record --json` prints.
struct RecordLine: Encodable {
    var event: String
    var seconds: Double
    var path: String?
    var format: String?
    var sampleRate: Double?
    var channelCount: Int?
    var frames: Int64?
    var averagePower: [Float]?
    var peakPower: [Float]?
    var clipped: Bool?
    var complete: Bool?
    var reason: String?
    /// Of a marker, or the first of a gap.
    var frame: Int64?
    var length: Int64?
    var name: String?
    /// How many, at the end.
    var markers: Int?
    var missingFrames: Int64?
    var secondsLeft: Double?
    var part: Int?
    var parts: Int?
    /// Whether who had the sound says that it goes on.
    var shouldResume: Bool?

    init(_ event: String, seconds: Double) {
        self.event = event
        self.seconds = seconds
    }
}
