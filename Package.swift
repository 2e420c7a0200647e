// swift-tools-version: 6.1
import PackageDescription

// Apple's modules must never be shadowed on an Apple host, where client code uses the real ones.
#if os(Linux)

/// Every target speaks Swift 6 and says which of its imports are part of its interface.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// A target of the house: its folder is `Sources/<name>`, its arrows are `dependencies`.
func room(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource]? = nil) -> Target {
    .testTarget(name: name, dependencies: dependencies, resources: resources, swiftSettings: strict)
}

/// A program of Examples: client code with Apple's imports alone, and a person who presses its buttons.
func example(_ name: String, _ more: [Target.Dependency] = []) -> Target {
    .executableTarget(
        name: name,
        dependencies: ["AVFoundation", "ExampleSupport"] + more,
        path: "Examples/\(name)",
        swiftSettings: strict
    )
}

let appleModules = ["AVFoundation", "AVFAudio", "AVKit", "AudioToolbox", "CoreMedia", "CoreAudio", "CoreAudioTypes"]
let ownModules = ["AudioSimulation", "RecordingKit"]

let package = Package(
    name: "kayit",
    products: (appleModules + ownModules).map { .library(name: $0, targets: [$0]) }
        + [.executable(name: "kayit", targets: ["kayit"])],
    targets: [
        // System libraries, one module each. Linked by the module maps; pkg-config is asked only where headers lie apart.
        .systemLibrary(name: "CPulse", providers: [.apt(["libpulse-dev"])]),

        // Without -pthread, which SwiftPM warns of: gio-2.0 has it for the sake of libmount.
        .systemLibrary(name: "CGIO", pkgConfig: "gobject-2.0", providers: [.apt(["libglib2.0-dev"])]),
        .systemLibrary(name: "CLinux"),

        // FFmpeg's headers (libavcodec-dev and others). Nothing is linked: its libraries are loaded when first needed.
        .target(name: "CFFmpeg", dependencies: ["CLoading"]),

        // SoundTouch (libsoundtouch-dev): the same.
        .target(name: "CSoundTouch", dependencies: ["CLoading"]),

        // Libraries that are loaded when first needed.
        .target(name: "CLoading", linkerSettings: [.linkedLibrary("m")]),

        // Pure Swift: values, rings, state machines, seams.
        room("AudioCore"),

        // Adapters.
        room("AudioSimulation", ["AudioCore"]),
        room("DesktopLinux", ["AudioCore", "CGIO"]),
        room("DevicePulse", ["AudioCore", "CPulse"]),
        room("MediaCodecs", ["AudioCore"]),
        room("MediaContainers", ["AudioCore"]),
        room("MediaFFmpeg", ["AudioCore", "CFFmpeg"]),
        room("PlatformLinux", ["AudioCore", "CLinux"]),
        room("StretchSoundTouch", ["AudioCore", "CSoundTouch"]),

        // The one place that chooses adapters, and the engines that run the machines on threads.
        room(
            "AudioRuntime",
            [
                "AudioCore", "AudioSimulation", "DesktopLinux", "DevicePulse", "MediaCodecs", "MediaContainers",
                "MediaFFmpeg", "PlatformLinux", "StretchSoundTouch",
            ]
        ),

        // Apple's names.
        room("CoreAudioTypes"),
        room("CoreAudio", ["CoreAudioTypes"]),
        room("CoreMedia", ["CoreAudioTypes"]),
        room("AudioToolbox", ["AudioCore", "AudioRuntime", "CoreAudio", "CoreAudioTypes"]),
        room("AVFAudio", ["AudioCore", "AudioRuntime", "AudioToolbox", "CoreAudio", "CoreAudioTypes"]),
        room("AVFoundation", ["AVFAudio", "AudioToolbox", "CoreAudio", "CoreAudioTypes", "CoreMedia"]),
        room("AVKit", ["AVFoundation"]),

        // What Apple's API cannot say, and the apps.
        room("RecordingKit", ["AudioCore", "AudioRuntime", "AVFAudio"]),
        room("ScenarioRunner", ["AVFAudio", "AudioCore", "AudioRuntime", "AudioSimulation", "RecordingKit"]),
        room("KayitCommands", ["AVFoundation", "AudioSimulation", "RecordingKit", "ScenarioRunner"]),
        .executableTarget(name: "kayit", dependencies: ["KayitCommands"], swiftSettings: strict),

        // Programs of client code; the tests run them.
        .target(name: "ExampleSupport", path: "Examples/Support", swiftSettings: strict),
        example("RecordAndPlay"),
        example("RecordAgain"),
        example("TimestampRecorder"),
        // Beside Apple's names the title and the artist of a file.
        example("MusicPlayer", ["RecordingKit"]),
        // Beside Apple's names the parts, the deadline and the banner, and a day that happens to it.
        example("BackgroundRecorder", ["AudioSimulation", "RecordingKit"]),

        // Fakes and tools that several test targets share.
        .target(
            name: "TestSupport",
            dependencies: ["AudioCore", "CGIO"],
            path: "Tests/TestSupport",
            swiftSettings: strict
        ),
        tests("AudioCoreTests", ["AudioCore", "TestSupport"]),
        tests(
            "AVFAudioTests",
            ["AVFAudio", "AudioCore", "AudioRuntime", "AudioSimulation", "CoreAudioTypes", "TestSupport"]
        ),
        tests("CoreMediaTests", ["CoreMedia"]),
        tests("AVFoundationTests", ["AVFoundation", "AVKit"]),
        tests(
            "AudioRuntimeTests",
            [
                "AudioCore", "AudioRuntime", "AudioSimulation", "DesktopLinux", "PlatformLinux", "StretchSoundTouch",
                "TestSupport",
            ]
        ),
        .executableTarget(
            name: "SessionPeer",
            dependencies: ["AVFAudio", "AudioToolbox", "CoreAudioTypes"],
            path: "Tests/SessionPeer",
            swiftSettings: strict
        ),
        tests(
            "ServerTests",
            [
                "AVFAudio", "AudioCore", "AudioRuntime", "AudioSimulation", "DevicePulse", "SessionPeer", "TestSupport",
            ]
        ),
        tests("MediaFFmpegTests", ["AudioCore", "MediaFFmpeg"]),
        tests("MediaCodecsTests", ["AudioCore", "MediaCodecs"]),
        tests("MediaContainersTests", ["AudioCore", "MediaCodecs", "MediaContainers", "MediaFFmpeg", "TestSupport"]),
        tests(
            "FaultTests",
            [
                "AVFAudio", "AudioCore", "AudioRuntime", "AudioSimulation", "AudioToolbox", "PlatformLinux",
                "RecordingKit", "TestSupport",
            ]
        ),
        tests("AudioSimulationTests", ["AudioCore", "AudioSimulation", "TestSupport"]),
        tests(
            "ScenarioTests",
            ["AudioCore", "AudioRuntime", "AudioSimulation", "RecordingKit", "ScenarioRunner", "TestSupport"]
        ),
        tests("ConformanceTests", ["AudioCore", "AudioSimulation", "DevicePulse", "TestSupport"]),
        tests("RecordingKitTests", ["AVFAudio", "AudioCore", "AudioRuntime", "RecordingKit", "TestSupport"]),
        tests("ExamplesTests", ["TestSupport"]),
        tests("MatrixTests", ["AVFAudio", "AudioCore", "AudioRuntime", "TestSupport"]),
        tests(
            "CLITests",
            ["AVFAudio", "AudioCore", "AudioRuntime", "KayitCommands", "RecordingKit", "TestSupport", "kayit"]
        ),
        .executableTarget(
            name: "CampaignVictim",
            dependencies: ["AudioCore", "AudioRuntime", "AudioSimulation", "PlatformLinux", "TestSupport"],
            path: "Tests/CampaignVictim",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "CampaignThreads",
            dependencies: ["AVFAudio", "AudioSimulation", "RecordingKit", "TestSupport"],
            path: "Tests/CampaignThreads",
            swiftSettings: strict
        ),
        tests(
            "CampaignTests",
            ["AudioCore", "AudioRuntime", "CampaignThreads", "CampaignVictim", "DevicePulse", "TestSupport", "kayit"]
        ),
    ]
)

// While working on one thing: KAYIT_TESTS=AVFAudioTests,CLITests leaves the other test targets out of the build.
if let wanted = Context.environment["KAYIT_TESTS"]?.split(separator: ",").map(String.init) {
    package.targets.removeAll { $0.type == .test && !wanted.contains($0.name) }
}

// A fuzzer has no main function of its own: it is built by Scripts/fuzz.sh alone.
if Context.environment["KAYIT_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "FuzzReaders",
            dependencies: ["AudioCore", "AudioRuntime", "AudioSimulation", "MediaContainers"],
            path: "Fuzz/Readers",
            exclude: ["everything.scenario", "index.theme"],
            swiftSettings: strict
        )
    )
    package.targets.append(
        .executableTarget(
            name: "FuzzBus",
            dependencies: ["AudioCore", "DesktopLinux"],
            path: "Fuzz/Bus",
            swiftSettings: strict
        )
    )
}

// Benchmarks are built by Scripts/bench.sh alone.
if Context.environment["KAYIT_BENCH"] != nil {
    package.targets.append(
        .executableTarget(
            name: "StartStop",
            dependencies: ["AVFoundation"],
            path: "Benchmarks/StartStop",
            swiftSettings: strict
        )
    )
    package.targets.append(
        .executableTarget(
            name: "FinishTime",
            dependencies: ["AudioCore", "AudioRuntime"],
            path: "Benchmarks/Finish",
            swiftSettings: strict
        )
    )
    package.targets.append(
        .executableTarget(
            name: "PlayStart",
            dependencies: ["AVFoundation", "AudioCore", "AudioRuntime", "DevicePulse"],
            path: "Benchmarks/PlayStart",
            exclude: ["eight-hours.sh"],
            swiftSettings: strict
        )
    )
    package.targets.append(
        .executableTarget(
            name: "JoinParts",
            dependencies: ["AudioCore", "AudioRuntime"],
            path: "Benchmarks/Joining",
            exclude: ["against-ffmpeg.sh"],
            swiftSettings: strict
        )
    )
}

#else

let package = Package(name: "kayit")

#endif
