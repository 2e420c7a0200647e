/// What `play --json` prints.
struct PlayLine: Encodable {
    var event: String
    var path: String
    var seconds: Double
    var duration: Double
    /// The speed, where it is not 1.
    var rate: Double?
    /// By channel, in decibels of full scale.
    var averagePower: [Float]?
    var peakPower: [Float]?
    /// Where it goes on behind what was left out.
    var target: Double?
    /// Why it pauses.
    var reason: String?

    init(_ event: String, file: String, seconds: Double, duration: Double) {
        self.event = event
        path = file
        self.seconds = seconds
        self.duration = duration
    }
}
