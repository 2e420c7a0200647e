package import Foundation
import Glibc

/// File names as they come from the command line: bytes, nothing in them is a protocol, a home folder or an option.
package enum FileArgument {
    /// The URL of the file that `argument` names, seen from the current folder.
    package static func url(_ argument: String) throws(UsageError) -> URL {
        if argument.isEmpty { throw UsageError("A file name is empty.") }
        // Foundation reads "~" at the start of a relative path as a home folder. The shell has done that where it was meant.
        let isAbsolute = argument.utf8.first == UInt8(ascii: "/")
        return URL(
            fileURLWithPath: isAbsolute ? argument : FileManager.default.currentDirectoryPath + "/" + argument,
            isDirectory: false
        )
    }

    /// The same for several.
    static func urls(_ arguments: [String]) throws(UsageError) -> [URL] {
        var urls: [URL] = []
        for argument in arguments { urls.append(try url(argument)) }
        return urls
    }

    /// Whether a folder lies there.
    static func isFolder(_ url: URL) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) && isFolder.boolValue
    }

    /// The arguments of the process, without its own name.
    /// - Throws: where one is not UTF-8: Apple's API takes URLs, which hold no other names.
    package static func commandLine() throws(UsageError) -> [String] {
        var arguments: [String] = []
        for index in 1..<max(Int(CommandLine.argc), 1) {
            guard let bytes = CommandLine.unsafeArgv[index] else { break }
            guard let argument = String(validatingCString: bytes) else {
                throw UsageError(
                    "'\(String(cString: bytes))' is not valid UTF-8. Such a file can be used through a link with another"
                        + " name."
                )
            }
            arguments.append(argument)
        }
        return arguments
    }
}
