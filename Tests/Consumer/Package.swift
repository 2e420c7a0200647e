// swift-tools-version: 6.1
import PackageDescription

// Someone else's package: depends on this one by version and imports only Apple's names. A dependency by version may
// hold no unsafe flags, and sees none of our package-level declarations. Scripts/check-consumer.sh builds and runs it, and
// its tests.

let kayit = Context.environment["KAYIT_REPOSITORY"] ?? "file://\(Context.packageDirectory)/../.."
let avFoundation: [Target.Dependency] = [.product(name: "AVFoundation", package: "kayit")]

let package = Package(
    name: "consumer",
    dependencies: [.package(url: kayit, from: "0.1.0")],
    targets: [
        // Code as most apps have it: Swift 5, implicitly unwrapped members, `as!` casts, delegates without isolation.
        .target(name: "SwiftFiveClient", dependencies: avFoundation, swiftSettings: [.swiftLanguageMode(.v5)]),
        // Code as new apps have it: Swift 6 with complete checking.
        .target(name: "SwiftSixClient", dependencies: avFoundation, swiftSettings: [.swiftLanguageMode(.v6)]),
        // A program that records, reads and plays.
        .executableTarget(name: "Recorder", dependencies: avFoundation, swiftSettings: [.swiftLanguageMode(.v6)]),
        // An app and its tests, as the article "Test your audio app" shows them.
        .target(name: "VoiceMemo", dependencies: avFoundation, swiftSettings: [.swiftLanguageMode(.v6)]),
        .testTarget(
            name: "VoiceMemoTests",
            dependencies: avFoundation + ["VoiceMemo", .product(name: "AudioSimulation", package: "kayit")],
            swiftSettings: [.swiftLanguageMode(.v6)]
        ),
    ]
)
