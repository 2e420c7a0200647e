import Foundation

// A program that is killed. Its arguments are `key=value`, as `Order` reads them.
do {
    let order = try Order(CommandLine.arguments.dropFirst())
    switch order.job {
    case .record: try RecordingJob(order).run()
    case .join, .convert: try FileJob(order).make()
    case .resume: try FileJob(order).resume()
    }
} catch {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(1)
}
