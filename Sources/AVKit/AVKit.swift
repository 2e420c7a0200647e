// What `import AVKit` brings along on Apple's systems.
@_exported public import AVFoundation
