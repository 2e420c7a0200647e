/// Waits for what happens on other threads, at most five seconds.
package func eventually(_ condition: () throws -> Bool) async rethrows -> Bool {
    for _ in 0..<500 {
        if try condition() { return true }
        try? await Task.sleep(for: .milliseconds(10))
    }
    return try condition()
}
