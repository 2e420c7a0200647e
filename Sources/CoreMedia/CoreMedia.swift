@_exported public import CoreAudioTypes
