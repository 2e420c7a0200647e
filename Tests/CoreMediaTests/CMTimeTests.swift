import CoreMedia
import Testing
