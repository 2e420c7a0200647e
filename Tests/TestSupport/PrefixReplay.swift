import AudioCore

/// What a process that was killed leaves behind: the file after every prefix of what was done to it.
package struct PrefixReplay {
    private let operations: [MemoryFile.Operation]

    package init(_ operations: [MemoryFile.Operation]) { self.operations = operations }

    package var count: Int { operations.count }

    /// Calls `body` with the file after each prefix (the shortest first, 0 operations to all) and the length of the prefix.
    ///
    /// The file is the same object each time, and only to be read.
    package func forEachPrefix(_ body: (MemoryFile, Int) throws -> Void) throws {
        let file = MemoryFile(isRecording: false)
        try body(file, 0)
        for (index, operation) in operations.enumerated() {
            switch operation {
            case .write(let offset, let bytes): try file.write(bytes, at: offset)
            case .truncate(let size): try file.truncate(to: size)
            case .synchronize: break
            }
            try body(file, index + 1)
        }
    }
}
