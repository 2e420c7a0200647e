@_exported public import CoreAudio
@_exported public import CoreAudioTypes
@_exported public import Foundation

// Names of Core Foundation that the functions here take. All of it would bring its `CFURL` in the way of ours.
@_exported public import class CoreFoundation.CFRunLoop
@_exported public import func CoreFoundation.CFRunLoopGetCurrent
@_exported public import func CoreFoundation.CFRunLoopGetMain
@_exported public import func CoreFoundation.CFRunLoopRunInMode
@_exported public import class CoreFoundation.CFString
@_exported public import var CoreFoundation.kCFRunLoopCommonModes
@_exported public import var CoreFoundation.kCFRunLoopDefaultMode

/// On Linux a `URL` cannot be bridged to a Core Foundation URL; with this name, `url as CFURL` compiles and gives what our
/// functions take.
public typealias CFURL = URL
