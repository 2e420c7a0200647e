import AVFoundation
import Testing

/// The third door to the microphone's permission: its signatures, and what it says of other media.
@Suite struct CaptureDeviceTests {
    @Test func signatures() {
        let asynchronous: (AVMediaType) async -> Bool = AVCaptureDevice.requestAccess(for:)
        let withHandler: (AVMediaType, @escaping @Sendable (Bool) -> Void) -> Void =
            AVCaptureDevice.requestAccess(for:completionHandler:)
        let status: (AVMediaType) -> AVAuthorizationStatus = AVCaptureDevice.authorizationStatus(for:)
        _ = (asynchronous, withHandler, status)
        let values: [AVAuthorizationStatus] = [.notDetermined, .restricted, .denied, .authorized]
        #expect(values.map(\.rawValue) == [0, 1, 2, 3])
    }

    @Test func onlySoundIsCaptured() {
        #expect(AVCaptureDevice.authorizationStatus(for: .video) == .restricted)
        #expect(AVCaptureDevice.authorizationStatus(for: .audio) != .restricted)
    }
}
