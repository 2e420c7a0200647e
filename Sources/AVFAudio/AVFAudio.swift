@_exported public import AudioToolbox
@_exported public import CoreAudioTypes
@_exported public import Foundation
