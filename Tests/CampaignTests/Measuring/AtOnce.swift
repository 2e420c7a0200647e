import Foundation

/// Each on a thread of its own, begun shortly after the other: they sleep most of the time.
func atOnce<Item: Sendable, Value: Sendable>(
    _ items: [Item],
    _ body: @escaping @Sendable (Item) throws -> Value
) -> [Result<Value, any Error>] {
    let results = Collected<Value>(count: items.count)
    for (index, item) in items.enumerated() {
        // A sound server lets five connections wait and refuses more.
        Thread.sleep(forTimeInterval: 0.05)
        Thread.detachNewThread { results.put(Result { try body(item) }, at: index) }
    }
    return results.wait()
}

/// Results that come from threads.
private final class Collected<Value: Sendable>: @unchecked Sendable {
    // Unchecked: `condition` guards `values`.
    private let condition = NSCondition()
    private var values: [Result<Value, any Error>?]

    init(count: Int) { values = Array(repeating: nil, count: count) }

    func put(_ value: Result<Value, any Error>, at index: Int) {
        condition.withLock {
            values[index] = value
            condition.broadcast()
        }
    }

    func wait() -> [Result<Value, any Error>] {
        condition.withLock {
            while values.contains(where: { $0 == nil }) { condition.wait() }
            return values.compactMap { $0 }
        }
    }
}
