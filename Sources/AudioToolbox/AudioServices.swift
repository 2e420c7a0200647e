// Functions of AudioServices.h.

internal import AudioCore
internal import AudioRuntime
public import CoreAudioTypes
public import CoreFoundation
internal import Foundation

/// Makes a system sound of a file.
///
/// The file is decoded at once and its sound kept in memory until it is disposed of. Linear PCM and IMA4 in `.caf`, `.aif`
/// and `.wav` are what Apple documents; everything that the player can play is taken. Any thread.
///
/// - Parameters:
///   - inFileURL: a file of at most 30 seconds (`url as CFURL`).
///   - outSystemSoundID: gets the sound; untouched where the call fails.
/// - Returns: ``kAudioServicesNoError``; ``kAudioServicesSystemSoundExceededMaximumDurationError`` where it lasts too long;
///   ``kAudioServicesSystemSoundUnspecifiedError`` where it cannot be read or decoded, or holds no sound.
@discardableResult
public func AudioServicesCreateSystemSoundID(
    _ inFileURL: CFURL,
    _ outSystemSoundID: UnsafeMutablePointer<SystemSoundID>
) -> OSStatus {
    guard inFileURL.isFileURL else {
        RuntimeLog.note("A system sound is a file, not '\(inFileURL)'.")
        return kAudioServicesSystemSoundUnspecifiedError
    }
    do throws(AudioFailure) {
        outSystemSoundID.pointee = try SoundServices.shared.create(path: inFileURL.path)
        return kAudioServicesNoError
    } catch {
        RuntimeLog.note("No system sound", error)
        return error.code == .limitReached
            ? kAudioServicesSystemSoundExceededMaximumDurationError : kAudioServicesSystemSoundUnspecifiedError
    }
}

/// Forgets a system sound and its completion routine. If it is playing, it becomes silent at once. Any thread.
///
/// - Returns: ``kAudioServicesSystemSoundUnspecifiedError`` where no file was made into such a sound, or it was disposed of
///   before.
@discardableResult
public func AudioServicesDisposeSystemSoundID(_ inSystemSoundID: SystemSoundID) -> OSStatus {
    SoundServices.shared.dispose(inSystemSoundID)
        ? kAudioServicesNoError : kAudioServicesSystemSoundUnspecifiedError
}

/// Plays a system sound as an alert: where the machine can, it also vibrates. As
/// ``AudioServicesPlaySystemSoundWithCompletion(_:_:)`` otherwise.
public func AudioServicesPlayAlertSoundWithCompletion(
    _ inSystemSoundID: SystemSoundID,
    _ inCompletionBlock: (() -> Void)?
) {
    play(inSystemSoundID, asAlert: true, inCompletionBlock)
}

/// Plays a system sound, beside everything else that plays. Returns at once. Any thread.
///
/// - Parameters:
///   - inSystemSoundID: a sound that was created, or a number of the system's: those that programs use of Apple's systems
///     are looked for in the desktop's sound theme.
///   - inCompletionBlock: called once, whether the sound was played or could not be: when it was heard to its end, was
///     disposed of, or there is nothing to hear. On a serial queue of the sounds, not the main queue.
public func AudioServicesPlaySystemSoundWithCompletion(
    _ inSystemSoundID: SystemSoundID,
    _ inCompletionBlock: (() -> Void)?
) {
    play(inSystemSoundID, asAlert: false, inCompletionBlock)
}

/// Plays a system sound as an alert: where the machine can, it also vibrates. Returns at once. Any thread.
public func AudioServicesPlayAlertSound(_ inSystemSoundID: SystemSoundID) { play(inSystemSoundID, asAlert: true, nil) }

/// Plays a system sound, beside everything else that plays. Returns at once. Any thread.
public func AudioServicesPlaySystemSound(_ inSystemSoundID: SystemSoundID) {
    play(inSystemSoundID, asAlert: false, nil)
}

private func play(_ id: SystemSoundID, asAlert: Bool, _ block: (() -> Void)?) {
    guard let block = block.map(CompletionBlock.init(call:)) else {
        return SoundServices.shared.play(id, asAlert: asAlert)
    }
    SoundServices.shared.play(id, asAlert: asAlert) { _ in block.call() }
}

/// Unchecked: as with Apple's functions, whoever gives the block answers for what it touches on the serial queue.
private struct CompletionBlock: @unchecked Sendable {
    let call: () -> Void
}

// MARK: - Completion routines

/// Has a routine called each time when a sound has ended, instead of the one that was added before.
///
/// It is called as ``AudioServicesPlaySystemSoundWithCompletion(_:_:)`` says of its block, but no more once the sound is
/// disposed of. The run loop must run for that.
///
/// - Parameters:
///   - inSystemSoundID: a sound that was created, or a number of the system's.
///   - inRunLoop: where it is called; nil for the main run loop.
///   - inRunLoopMode: the mode in which the run loop calls it; nil for the default one.
///   - inCompletionRoutine: the routine.
///   - inClientData: given to it.
/// - Returns: ``kAudioServicesSystemSoundUnspecifiedError`` where there is no such sound.
@discardableResult
public func AudioServicesAddSystemSoundCompletion(
    _ inSystemSoundID: SystemSoundID,
    _ inRunLoop: CFRunLoop?,
    _ inRunLoopMode: CFString?,
    _ inCompletionRoutine: @escaping AudioServicesSystemSoundCompletionProc,
    _ inClientData: UnsafeMutableRawPointer?
) -> OSStatus {
    let call = RoutineCall(
        id: inSystemSoundID,
        loop: inRunLoop,
        mode: inRunLoopMode,
        routine: inCompletionRoutine,
        clientData: inClientData
    )
    return SoundServices.shared.setRoutine({ call.post() }, of: inSystemSoundID)
        ? kAudioServicesNoError : kAudioServicesSystemSoundUnspecifiedError
}

/// Has no routine called any more when a sound ends. Any thread.
public func AudioServicesRemoveSystemSoundCompletion(_ inSystemSoundID: SystemSoundID) {
    _ = SoundServices.shared.setRoutine(nil, of: inSystemSoundID)
}

/// Where and how a completion routine is called.
private struct RoutineCall: @unchecked Sendable {
    // Unchecked: nothing changes; run loops take work from any thread, and the client answers for its data.
    let id: SystemSoundID
    let loop: CFRunLoop?
    let mode: CFString?
    let routine: AudioServicesSystemSoundCompletionProc
    let clientData: UnsafeMutableRawPointer?

    func post() {
        if loop == nil, mode == nil {
            // The main queue, which the main run loop serves; or what stands in its place.
            return Runtime.current.callbacks.enqueue { routine(id, clientData) }
        }
        guard let loop = loop ?? CFRunLoopGetMain() else { return }
        CFRunLoopPerformBlock(loop, mode ?? kCFRunLoopDefaultMode) { routine(id, clientData) }
        CFRunLoopWakeUp(loop)
    }
}

// MARK: - Properties

/// The size of a property, and whether it can be set.
///
/// - Parameters:
///   - inPropertyID: ``kAudioServicesPropertyIsUISound`` or ``kAudioServicesPropertyCompletePlaybackIfAppDies``.
///   - inSpecifierSize: the size of a ``SystemSoundID``.
///   - inSpecifier: a ``SystemSoundID``.
///   - outPropertyDataSize: gets 4.
///   - outWritable: gets true.
/// - Returns: 'pty?' for another property, '!spc' for a specifier of another size, −1500 for a sound that is not known.
@discardableResult
public func AudioServicesGetPropertyInfo(
    _ inPropertyID: AudioServicesPropertyID,
    _ inSpecifierSize: UInt32,
    _ inSpecifier: UnsafeRawPointer?,
    _ outPropertyDataSize: UnsafeMutablePointer<UInt32>?,
    _ outWritable: UnsafeMutablePointer<DarwinBoolean>?
) -> OSStatus {
    let property = SoundProperty(inPropertyID, inSpecifierSize, inSpecifier)
    if property.status != kAudioServicesNoError { return property.status }
    outPropertyDataSize?.pointee = SoundProperty.size
    outWritable?.pointee = true
    return kAudioServicesNoError
}

/// The value of a property.
///
/// - Parameters:
///   - inPropertyID: ``kAudioServicesPropertyIsUISound`` or ``kAudioServicesPropertyCompletePlaybackIfAppDies``.
///   - inSpecifierSize: the size of a ``SystemSoundID``.
///   - inSpecifier: a ``SystemSoundID``.
///   - ioPropertyDataSize: the room at `outPropertyData`; gets the bytes that are there, or would be.
///   - outPropertyData: gets a `UInt32`; nil asks for the size alone.
/// - Returns: as ``AudioServicesGetPropertyInfo(_:_:_:_:_:)``; '!siz' where there is no room for the value.
@discardableResult
public func AudioServicesGetProperty(
    _ inPropertyID: AudioServicesPropertyID,
    _ inSpecifierSize: UInt32,
    _ inSpecifier: UnsafeRawPointer?,
    _ ioPropertyDataSize: UnsafeMutablePointer<UInt32>,
    _ outPropertyData: UnsafeMutableRawPointer?
) -> OSStatus {
    let property = SoundProperty(inPropertyID, inSpecifierSize, inSpecifier)
    guard let field = property.field else { return property.status }
    if let outPropertyData {
        guard ioPropertyDataSize.pointee >= SoundProperty.size else { return kAudioServicesBadPropertySizeError }
        let value: UInt32 = property.options[keyPath: field] ? 1 : 0
        outPropertyData.storeBytes(of: value, as: UInt32.self)
    }
    ioPropertyDataSize.pointee = SoundProperty.size
    return kAudioServicesNoError
}

/// Sets a property of a sound.
///
/// - Parameters:
///   - inPropertyID: ``kAudioServicesPropertyIsUISound`` or ``kAudioServicesPropertyCompletePlaybackIfAppDies``.
///   - inSpecifierSize: the size of a ``SystemSoundID``.
///   - inSpecifier: a ``SystemSoundID``.
///   - inPropertyDataSize: 4.
///   - inPropertyData: a `UInt32`, 0 or 1.
/// - Returns: as ``AudioServicesGetPropertyInfo(_:_:_:_:_:)``; '!siz' for a value of another size.
@discardableResult
public func AudioServicesSetProperty(
    _ inPropertyID: AudioServicesPropertyID,
    _ inSpecifierSize: UInt32,
    _ inSpecifier: UnsafeRawPointer?,
    _ inPropertyDataSize: UInt32,
    _ inPropertyData: UnsafeRawPointer
) -> OSStatus {
    let property = SoundProperty(inPropertyID, inSpecifierSize, inSpecifier)
    guard let field = property.field else { return property.status }
    guard inPropertyDataSize == SoundProperty.size else { return kAudioServicesBadPropertySizeError }
    var options = property.options
    options[keyPath: field] = inPropertyData.loadUnaligned(as: UInt32.self) != 0
    return SoundServices.shared.setOptions(options, of: property.id)
        ? kAudioServicesNoError : kAudioServicesSystemSoundUnspecifiedError
}

/// A property of one sound, as the three functions are asked for it.
private struct SoundProperty {
    static let size = UInt32(MemoryLayout<UInt32>.size)

    var id: SystemSoundID = 0
    var options = SoundServices.Options()
    /// Nil where there is none, for the reason in `status`.
    var field: WritableKeyPath<SoundServices.Options, Bool>?
    var status = kAudioServicesNoError

    init(_ property: AudioServicesPropertyID, _ specifierSize: UInt32, _ specifier: UnsafeRawPointer?) {
        let wanted: WritableKeyPath<SoundServices.Options, Bool>
        switch property {
        case kAudioServicesPropertyIsUISound: wanted = \.isUISound
        case kAudioServicesPropertyCompletePlaybackIfAppDies: wanted = \.completesIfProgramDies
        default:
            status = kAudioServicesUnsupportedPropertyError
            return
        }
        guard let specifier, specifierSize == MemoryLayout<SystemSoundID>.size else {
            status = kAudioServicesBadSpecifierSizeError
            return
        }
        id = specifier.loadUnaligned(as: SystemSoundID.self)
        guard let options = SoundServices.shared.options(of: id) else {
            status = kAudioServicesSystemSoundUnspecifiedError
            return
        }
        self.options = options
        field = wanted
    }
}
