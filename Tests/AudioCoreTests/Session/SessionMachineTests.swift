import AudioCore
import Testing

/// What the session's table cannot show: sequences, refusals, nesting.
@Suite struct SessionMachineTests {
    private func machine(_ category: SessionCategory, _ options: SessionOptions = [], active: Bool = true)
        -> SessionMachine
    {
        var machine = SessionMachine()
        _ = machine.handle(.configure(SessionConfiguration(category: category, options: options)))
        if active { _ = machine.handle(.activate(.program)) }
        return machine
    }

    /// Whoever is more important, and what it says to a session that records and to one that plays.
    /// Source: the comments on the error codes in AudioSessionTypes.h.
    @Test(arguments: [
        (SessionInterruption.call, SessionRefusal.insufficientPriority, SessionRefusal.insufficientPriority),
        (.alarm, .insufficientPriority, .insufficientPriority), (.server, .insufficientPriority, .insufficientPriority),
        (.assistant, .siriIsRecording, .insufficientPriority),
    ])
    func refusals(_ kind: SessionInterruption, whileRecording: SessionRefusal, whilePlaying: SessionRefusal) {
        var recorder = machine(.record)
        _ = recorder.handle(.began(kind))
        let before = recorder
        #expect(recorder.handle(.activate(.program)) == [.refuse(whileRecording)])
        #expect(recorder.handle(.activate(.client(.recording))) == [.refuse(whileRecording)])
        #expect(recorder == before, "a refusal changes nothing")
        var player = machine(.playback)
        _ = player.handle(.began(kind))
        #expect(player.handle(.activate(.client(.playback))) == [.refuse(whilePlaying)])
        _ = player.handle(.ended(kind, shouldResume: true))
        #expect(player.handle(.activate(.program)).count == 1)
        #expect(player.phase == .active)
    }

    /// Source: the comments on '!int', '!pla' and '!rec' in AudioSessionTypes.h.
    @Test func refusalsInTheBackground() {
        var exclusive = machine(.playback, active: false)
        _ = exclusive.handle(.background(true))
        _ = exclusive.handle(.othersChanged(OtherAudio(isPlaying: true, isPrimary: true)))
        #expect(exclusive.handle(.activate(.program)) == [.refuse(.cannotInterruptOthers)])
        _ = exclusive.handle(.othersChanged(OtherAudio()))
        #expect(exclusive.handle(.activate(.program)).count == 1)
        var mixing = machine(.playAndRecord, .mixWithOthers, active: false)
        _ = mixing.handle(.background(true))
        #expect(mixing.handle(.activate(.client(.recording))) == [.refuse(.cannotStartRecording)])
        _ = mixing.handle(.background(false))
        #expect(mixing.handle(.activate(.client(.recording))).count == 1)
        var ambient = machine(.ambient, active: false)
        _ = ambient.handle(.background(true))
        #expect(ambient.handle(.activate(.client(.playback))) == [.refuse(.cannotStartPlaying)])
    }

    /// Interruptions that overlap in any order begin once and end once, and resume only where all say so.
    @Test func nesting() {
        let kinds: [SessionInterruption] = [.call, .alarm, .otherProgram]
        for first in kinds {
            for second in kinds where second != first {
                for (isFirst, isSecond) in [(true, true), (true, false), (false, true), (false, false)] {
                    for order in [[first, second], [second, first]] {
                        var machine = machine(.record)
                        var told: [SessionNotice] = []
                        func tell(_ input: SessionMachine.Input) {
                            for case .tell(let notice) in machine.handle(input) { told.append(notice) }
                        }
                        tell(.began(first))
                        tell(.began(second))
                        tell(.began(second))
                        for kind in order { tell(.ended(kind, shouldResume: kind == first ? isFirst : isSecond)) }
                        tell(.ended(second, shouldResume: true))
                        let resume = isFirst && isSecond
                        #expect(told == [.interruptionBegan(first), .interruptionEnded(shouldResume: resume)])
                        #expect(machine.phase == .inactive)
                    }
                }
            }
        }
    }

    /// A claim that others do not give changes nothing: neither the phase nor the category.
    @Test func claimsThatAreRefused() {
        var inactive = machine(.record, active: false)
        let before = inactive
        for effect in inactive.handle(.activate(.program)) {
            #expect(inactive.failed(effect) == [.refuse(.insufficientPriority)])
        }
        #expect(inactive.phase == .inactive)
        #expect(inactive == before)
        var active = machine(.ambient)
        let new = SessionConfiguration(category: .playback)
        for effect in active.handle(.configure(new)) {
            #expect(active.failed(effect) == [.refuse(.insufficientPriority)])
        }
        #expect(active.effective.category == .ambient)
        #expect(active.phase == .active)
    }

    @Test func whatThePreferencesSay() {
        var machine = machine(.playback)
        var preferences = SessionMachine.Preferences()
        preferences.avoidsSystemAlerts = true
        preferences.interruptsOnDisconnect = false
        _ = machine.handle(.prefer(preferences))
        #expect(machine.handle(.began(.alarm)) == [])
        #expect(machine.handle(.began(.routeDisconnected)) == [])
        #expect(
            machine.handle(.routeChanged(.oldDeviceGone, outputIsGone: true, isPlaying: true)) == [
                .tell(.routeChanged(.oldDeviceGone))
            ]
        )
        #expect(machine.handle(.began(.call)).count == 2)
    }

    @Test func aNewArbiterKnowsNothing() {
        var machine = machine(.playback)
        _ = machine.handle(.began(.call))
        _ = machine.handle(.ducked(true))
        #expect(machine.handle(.newArbiter) == [.lower(false)])
        #expect(machine.handle(.activate(.program)).count == 1)
        #expect(machine.handle(.deactivate(notifyingOthers: true)) == [.giveBack(notifyingOthers: true)])
        #expect(machine.handle(.deactivate(notifyingOthers: true)) == [])
    }

    @Test func promptsByWhatOthersDo() {
        var machine = machine(.playback)
        #expect(machine.promptManner == .normal)
        _ = machine.handle(.othersChanged(OtherAudio(isPlaying: true, isPrimary: true)))
        #expect(machine.promptManner == .short)
        _ = machine.handle(.began(.call))
        #expect(machine.promptManner == .none)
    }
}
