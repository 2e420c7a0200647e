// What `import AVFoundation` gives on Apple's systems: every module of the framework below, and Foundation.
@_exported public import AVFAudio
@_exported public import AudioToolbox
@_exported public import CoreAudio
@_exported public import CoreAudioTypes
@_exported public import CoreMedia
@_exported public import Foundation
