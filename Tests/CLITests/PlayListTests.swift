import KayitCommands
import Testing

/// The order of `kayit play`.
@Suite struct PlayListTests {
    private func take(_ count: Int, of list: PlayList) -> [Int?] {
        var list = list
        return (0..<count).map { _ in list.next() }
    }

    @Test func onceInItsOrder() {
        #expect(take(4, of: PlayList(count: 3)) == [0, 1, 2, nil])
        #expect(take(1, of: PlayList(count: 0)) == [nil])
        #expect(take(1, of: PlayList(count: 0, repeats: true)) == [nil])
    }

    @Test func againAndAgain() {
        #expect(take(5, of: PlayList(count: 2, repeats: true)) == [0, 1, 0, 1, 0])
    }

    @Test func theSameSeedGivesTheSameOrderAndEveryFileComesOnce() {
        let orders = (0..<20).map { take(9, of: PlayList(count: 8, shuffles: true, seed: $0)).compactMap { $0 } }
        for order in orders { #expect(order.sorted() == Array(0..<8)) }
        #expect(orders == (0..<20).map { take(9, of: PlayList(count: 8, shuffles: true, seed: $0)).compactMap { $0 } })
        #expect(Set(orders).count > 15)
    }

    @Test func eachRoundHasAnOrderOfItsOwn() {
        let all = take(40, of: PlayList(count: 10, shuffles: true, repeats: true, seed: 1)).compactMap { $0 }
        let rounds = stride(from: 0, to: 40, by: 10).map { Array(all[$0..<($0 + 10)]) }
        for round in rounds { #expect(round.sorted() == Array(0..<10)) }
        #expect(Set(rounds).count == 4)
    }

    @Test func whatIsPutBackComesFirst() {
        var list = PlayList(count: 4)
        #expect([list.next(), list.next(), list.next()] == [0, 1, 2])
        for index in [2, 1] { list.putBack(index) }
        #expect([list.next(), list.next(), list.next(), list.next()] == [1, 2, 3, nil])
    }
}
