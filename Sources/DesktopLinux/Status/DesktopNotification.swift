import AudioCore
import CGIO
import Synchronization

/// A message of the desktop (org.freedesktop.Notifications) that stays until it is closed. A notification service that is not
/// there, hangs or begins anew holds nothing up: the message is shown when there is one.
///
/// All that speaks with the bus is done by a thread of its own, which ends with the message.
final class DesktopNotification: StatusDisplay {
    private let keeper: NotificationKeeper

    /// - Parameters:
    ///   - program: as the desktop shows it.
    ///   - address: of the session bus; nil for the user's own.
    init(_ text: StatusText, program: String, address: String?, log: @escaping @Sendable (String) -> Void) {
        let keeper = NotificationKeeper(text, program: program, address: address, log: log)
        self.keeper = keeper
        if !BusThread.start("kayit-status", { keeper.run() }) {
            keeper.hasEnded()
            log("No notification is shown: no thread is left.")
        }
    }

    deinit { keeper.end() }

    func update(_ text: StatusText) { keeper.update(text) }

    func close() {
        keeper.end()
        keeper.awaitEnd()
    }
}

/// What the thread of a message does.
private final class NotificationKeeper: @unchecked Sendable {
    // Unchecked: `bus` and `ended` take care of themselves, `wish` is locked; the rest belongs to the thread.
    private struct Wish {
        var text: StatusText
        var isOver = false
    }

    private let bus = BusConnection()
    private let program: String
    private let address: String?
    private let log: @Sendable (String) -> Void
    private let wish: Mutex<Wish>
    /// Gets one entry when the thread has ended.
    private let ended = g_async_queue_new()

    /// The number of the message; 0 where it is not shown.
    private var number: UInt32 = 0
    private var shown: StatusText?
    private var shownAt: Duration?
    /// The person has closed the message that says this, or the service takes such messages away by itself: neither wants to
    /// see it again and again.
    private var dismissedTitle: String?
    private var takesMarkup: Bool?
    private var isWaiting = false
    private var hasFailed = false

    private static let name = "org.freedesktop.Notifications"
    private static let path = "/org/freedesktop/Notifications"
    private static let limitOfCall = Duration.seconds(5)
    private static let retryInterval = Duration.seconds(5)
    /// Between two texts of one title, which the eye is not to be drawn to.
    private static let leastInterval = Duration.seconds(5)
    /// The service takes a message away by itself that is not renewed: that of a program that was killed must not stay.
    private static let lifetime = Duration.seconds(30)
    private static let renewal = Duration.seconds(10)
    /// How long the end waits for the message to go.
    private static let limitOfEnd = Duration.milliseconds(400)

    init(_ text: StatusText, program: String, address: String?, log: @escaping @Sendable (String) -> Void) {
        wish = Mutex(Wish(text: text))
        self.program = program
        self.address = address
        self.log = log
    }

    deinit { if let ended { g_async_queue_unref(ended) } }

    // MARK: Any thread

    func update(_ text: StatusText) {
        wish.withLock { $0.text = text }
        bus.wake()
    }

    func end() {
        wish.withLock { $0.isOver = true }
        bus.wake()
    }

    /// The thread has ended, or there is none.
    func hasEnded() { g_async_queue_push(ended, Unmanaged.passUnretained(self).toOpaque()) }

    /// A program that ends at once would leave its message on the screen.
    func awaitEnd() {
        // Twice what the end takes at most: once for what is under way.
        let limit = guint64(Self.limitOfEnd * 2 / .microseconds(1))
        if g_async_queue_timeout_pop(ended, limit) == nil { bus.cancel() } else { hasEnded() }
    }

    // MARK: The thread

    func run() {
        var wasConnected = false
        while !isOver {
            do throws(BusFailure) {
                try bus.connect(to: address.map { .at($0) } ?? .session)
                wasConnected = true
                subscribe()
                listen()
                // With its number, which is needed to take it away.
                if isOver { break }
            } catch {
                if !wasConnected {
                    log("No notification is shown: \(error.reason).")
                    break
                }
            }
            forget()
            let end = Self.now + Self.retryInterval
            while !isOver, Self.now < end { bus.iterate(within: end - Self.now) }
        }
        takeAway()
        bus.disconnect()
        hasEnded()
    }

    private var isOver: Bool { bus.isCancelled || wish.withLock { $0.isOver } }

    private func subscribe() {
        bus.subscribe("NotificationClosed", of: Self.name, at: Self.path, from: Self.name) { [unowned self] signal in
            guard let closed: UInt32 = signal.arguments.first?.whole(), closed == number, number != 0 else { return }
            dismissedTitle = shown?.title
            number = 0
        }
        bus.subscribe(
            "NameOwnerChanged",
            of: BusConnection.busName,
            at: BusConnection.busPath,
            from: BusConnection.busName,
            argument: Self.name
        ) { [unowned self] _ in
            // Another service knows nothing of the message.
            forget()
            askForMarkup()
        }
        askForMarkup()
    }

    private func forget() {
        number = 0
        shown = nil
        shownAt = nil
        takesMarkup = nil
    }

    private func askForMarkup() {
        let call = BusCall(
            "GetCapabilities",
            of: Self.name,
            at: Self.path,
            of: Self.name,
            within: Self.limitOfCall,
            startsService: true
        )
        bus.post(call) { [unowned self] answer in
            takesMarkup = answer?.first?.texts?.contains("body-markup") ?? false
        }
    }

    private func listen() {
        while !isOver, bus.isConnected {
            let text = wish.withLock { $0.text }
            let wait = isWaiting || takesMarkup == nil ? Self.retryInterval : untilDue(text)
            if wait <= .zero { show(text) } else { bus.iterate(within: min(wait, Self.retryInterval)) }
        }
    }

    /// Zero where `text` is to be shown now.
    private func untilDue(_ text: StatusText) -> Duration {
        if dismissedTitle == text.title { return Self.retryInterval }
        guard let shownAt else { return .zero }
        // After a refusal, too.
        if shown?.title != text.title, !hasFailed { return .zero }
        return shownAt + (shown == text || hasFailed ? Self.renewal : Self.leastInterval) - Self.now
    }

    private func show(_ text: StatusText) {
        isWaiting = true
        shown = text
        shownAt = Self.now
        let arguments: [BusArgument] = [
            .text(program), .unsigned32(number), .text("audio-input-microphone"), .text(Self.plain(text.title, 200)),
            .text(body(text.body)), .texts([]),
            // Not to be kept among the messages that were missed, and not to make a sound.
            .dictionary(["transient": .truth(true), "suppress-sound": .truth(true)]),
            .signed32(Int32(Self.lifetime / .milliseconds(1))),
        ]
        let call = BusCall(
            "Notify",
            of: Self.name,
            at: Self.path,
            of: Self.name,
            arguments,
            within: Self.limitOfCall,
            startsService: true
        )
        bus.post(call) { [unowned self] answer in
            isWaiting = false
            // Asked of a service that is gone meanwhile.
            if shown == nil { return }
            let given: UInt32? = answer?.first?.whole()
            if given == nil, !hasFailed { log("No notification is shown: the desktop's service does not answer.") }
            hasFailed = given == nil
            number = given ?? 0
        }
    }

    /// Takes the message away, also one that is on its way to the screen.
    private func takeAway() {
        let end = Self.now + Self.limitOfEnd
        while isWaiting, Self.now < end, bus.isConnected, !bus.isCancelled { bus.iterate(within: end - Self.now) }
        if number != 0, bus.isConnected {
            var isDone = false
            let call = BusCall(
                "CloseNotification",
                of: Self.name,
                at: Self.path,
                of: Self.name,
                [.unsigned32(number)],
                within: Self.limitOfEnd
            )
            bus.post(call) { _ in isDone = true }
            while !isDone, bus.isConnected, !bus.isCancelled { bus.iterate(within: Self.limitOfEnd) }
        }
        // Answers that will not come any more are given back.
        bus.cancel()
        while bus.iterateOnce() {}
    }

    private func body(_ text: String) -> String {
        let text = Self.plain(text, 500)
        guard takesMarkup == true else { return text }
        return String(
            text.flatMap { character -> String in
                switch character {
                case "&": "&amp;"
                case "<": "&lt;"
                case ">": "&gt;"
                default: String(character)
                }
            }
        )
    }

    /// Without control characters, and of a length that a screen can hold.
    private static func plain(_ text: String, _ limit: Int) -> String {
        let shown = text.unicodeScalars.filter { $0 == "\n" || !($0.properties.generalCategory == .control) }
        return String(String.UnicodeScalarView(shown)).prefix(utf8: limit)
    }

    private static var now: Duration { .microseconds(g_get_monotonic_time()) }
}
