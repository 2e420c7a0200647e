import AudioCore
import AudioRuntime
import AudioSimulation
import PlatformLinux
import TestSupport

/// Makes one file of others, which are removed then, or takes up what an earlier victim left undone.
struct FileJob {
    private let order: Order
    private let disk = FaultingFileStore(LinuxFileStore())
    private let runtime: Runtime

    init(_ order: Order) {
        self.order = order
        let host = SimulatedHost()
        runtime = Runtime(
            devices: host,
            media: .system,
            files: disk,
            clock: host.clock,
            callbacks: SerialQueueExecutor(label: "victim")
        )
    }

    func make() throws {
        guard let pair = RecordedPair.named(try order.text("pair")) else {
            throw SetupFailure("There is no such pair.")
        }
        let sources = try order.text("sources").split(separator: ",").map(String.init)
        let isJoin = order.job == .join
        var job = MediaJob(
            isJoin ? .join : .conversion(pair.encoding),
            of: sources,
            to: try order.text("file"),
            pair.container
        )
        job.removesSources = true
        order.board.phase = .recording
        order.arm(disk)
        _ = try job.run(in: runtime)
        order.board.phase = .over
    }

    func resume() throws {
        for result in try MediaJob.resume(in: try order.text("folder"), runtime: runtime) {
            if case .finished = result { continue }
            throw SetupFailure("\(result)")
        }
    }
}
