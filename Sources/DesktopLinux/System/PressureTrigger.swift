import AudioCore
import CGIO
import Glibc

/// The kernel's own word on memory (pressure stall information): it wakes whoever waits on a file when programs stood still
/// for want of memory for too long.
///
/// Lives on the thread that attaches it.
final class PressureTrigger {
    /// Of two seconds, the least window for programs without privileges. For the lower level what systemd takes for
    /// services that say nothing; for the higher one nothing at all ran for that long.
    private static let thresholds: [(text: String, level: MemoryPressure)] = [
        ("some 200000 2000000", .warning), ("full 200000 2000000", .critical),
    ]

    private final class Entry {
        let level: MemoryPressure
        let heard: (MemoryPressure) -> Void

        init(_ level: MemoryPressure, _ heard: @escaping (MemoryPressure) -> Void) {
            self.level = level
            self.heard = heard
        }
    }

    private var descriptors: [Int32] = []
    private var sources: [UnsafeMutablePointer<GSource>] = []

    /// Has `heard` called with each warning from inside the iterations of the thread's context. Without the file, or without
    /// leave to write to it, there is none.
    /// - Parameter path: of the pressure file of the machine, or of a control group.
    init(_ path: String, _ heard: @escaping (MemoryPressure) -> Void) {
        for threshold in Self.thresholds {
            let descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
            if descriptor < 0 { return }
            // With the zero at the end, which the kernel overwrites.
            let text = Array(threshold.text.utf8) + [0]
            guard write(descriptor, text, text.count) == text.count,
                let source = g_unix_fd_source_new(descriptor, G_IO_PRI)
            else {
                close(descriptor)
                continue
            }
            let entry = Unmanaged.passRetained(Entry(threshold.level, heard))
            let body: GUnixFDSourceFunc = { _, condition, user in
                guard let user else { return gboolean(0) }
                // A control group that is gone says so for ever.
                if condition.rawValue & G_IO_ERR.rawValue != 0 { return gboolean(0) }
                let entry = Unmanaged<Entry>.fromOpaque(user).takeUnretainedValue()
                entry.heard(entry.level)
                return gboolean(1)
            }
            g_source_set_callback(source, unsafeBitCast(body, to: GSourceFunc.self), entry.toOpaque()) { user in
                if let user { Unmanaged<Entry>.fromOpaque(user).release() }
            }
            g_source_attach(source, g_main_context_get_thread_default())
            descriptors.append(descriptor)
            sources.append(source)
        }
    }

    deinit {
        for source in sources {
            g_source_destroy(source)
            g_source_unref(source)
        }
        for descriptor in descriptors { close(descriptor) }
    }
}
