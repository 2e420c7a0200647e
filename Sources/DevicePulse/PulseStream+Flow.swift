import AudioCore

extension PulseStream {
    /// Has the server let the stream flow, and tells where its device sleeps.
    /// - Parameter undo: takes back what was prepared, under the lock, where the server does not.
    func uncork(elseUndo undo: () -> Void) throws(AudioFailure) {
        do throws(AudioFailure) {
            try cork(false)
        } catch {
            connection.loop.withLock { undo() }
            throw error
        }
        connection.loop.withLock { tellSuspension() }
    }
}
