/// Not implemented.
public let kAudio_UnimplementedError: OSStatus = -4
/// The file does not exist.
public let kAudio_FileNotFoundError: OSStatus = -43
/// The file cannot be opened because of permissions.
public let kAudio_FilePermissionError: OSStatus = -54
/// Too many files are open.
public let kAudio_TooManyFilesOpenError: OSStatus = -42
/// The path is malformed. (`'!pth'`)
public let kAudio_BadFilePathError: OSStatus = 0x2170_7468
/// An argument is wrong.
public let kAudio_ParamError: OSStatus = -50
/// Not enough memory.
public let kAudio_MemFullError: OSStatus = -108
