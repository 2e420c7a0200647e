import Dispatch
import Foundation
import Glibc

// A program that shares the sound with others, as a test orders it: one order a line on standard input, one answer a line
// on standard output, and what the session tells in between.
let peer = Peer()
Thread {
    while let line = readLine() {
        DispatchQueue.main.async {
            MainActor.assumeIsolated { peer.obey(line.split(separator: " ").map(String.init)) }
        }
    }
    exit(0)
}
.start()
dispatchMain()
