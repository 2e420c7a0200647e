import Foundation
import KayitCommands

Task { @MainActor in exit(await Program.run()) }

// Delegates, notifications and the commands themselves are served by the main queue, which the run loop drains. It keeps
// the process's first thread, by which the system knows the process; `dispatchMain()` would end that thread.
while true { RunLoop.main.run(until: .distantFuture) }
