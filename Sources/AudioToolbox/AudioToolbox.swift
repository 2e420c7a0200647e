@_exported public import CoreAudio
@_exported public import CoreAudioTypes
public import Foundation

/// On Linux a `URL` cannot be bridged to a Core Foundation URL; with this name, `url as CFURL` compiles and gives what our
/// functions take.
public typealias CFURL = URL
