/// " Did you mean …?" with the nearest of `candidates`, or nothing where none is near.
package func suggestion(for word: String, among candidates: [String]) -> String {
    let distances = candidates.map { (candidate: $0, distance: editDistance(word.lowercased(), $0)) }
    guard let nearest = distances.min(by: { $0.distance < $1.distance }) else { return "" }
    let longest = max(word.count, nearest.candidate.count)
    guard nearest.distance > 0, nearest.distance * 2 < longest, nearest.distance <= 3 else { return "" }
    return " Did you mean \(nearest.candidate)?"
}

/// The least number of letters to insert, delete, replace or swap with their neighbour that makes one word of the other.
package func editDistance(_ first: String, _ second: String) -> Int {
    let a = Array(first)
    let b = Array(second)
    // Nobody means an option by a text of this length; the table would grow with the product of both.
    if a.count > 64 || b.count > 64 { return max(a.count, b.count) }
    var table = Array(repeating: Array(repeating: 0, count: b.count + 1), count: a.count + 1)
    for i in 0...a.count { table[i][0] = i }
    for j in 0...b.count { table[0][j] = j }
    for i in stride(from: 1, through: a.count, by: 1) {
        for j in stride(from: 1, through: b.count, by: 1) {
            let replaced = table[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
            table[i][j] = min(table[i - 1][j] + 1, table[i][j - 1] + 1, replaced)
            if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
                table[i][j] = min(table[i][j], table[i - 2][j - 2] + 1)
            }
        }
    }
    return table[a.count][b.count]
}
