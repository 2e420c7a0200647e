// Like Apple's Foundation, ours must bring `OSStatus`, `OSType` and `Float64` along, which on Linux lie in CoreFoundation.
@_exported public import CoreFoundation
