import Glibc

/// The time of day, for people: recordings say when they were made, and may be asked to end at one.
enum WallTime {
    /// Since 1970.
    static var seconds: Double {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
    }

    /// In the form of ISO 8601 with the offset of the machine's time zone: "2026-05-04T21:07:09+03:00".
    static var now: String {
        var seconds = time(nil)
        var local = tm()
        guard localtime_r(&seconds, &local) != nil else { return "" }
        func padded(_ value: Int, _ digits: Int = 2) -> String {
            let text = String(abs(value))
            return String(repeating: "0", count: max(digits - text.count, 0)) + text
        }
        let minutes = local.tm_gmtoff / 60
        let day =
            "\(padded(Int(local.tm_year) + 1_900, 4))-\(padded(Int(local.tm_mon) + 1))-\(padded(Int(local.tm_mday)))"
        let clock = "\(padded(Int(local.tm_hour))):\(padded(Int(local.tm_min))):\(padded(Int(local.tm_sec)))"
        return "\(day)T\(clock)\(minutes < 0 ? "-" : "+")\(padded(minutes / 60)):\(padded(minutes % 60))"
    }
}
