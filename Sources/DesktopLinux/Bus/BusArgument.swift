import CGIO

/// A value that is sent.
enum BusArgument: Sendable, Hashable {
    case truth(Bool)
    case text(String)
    case unsigned32(UInt32)
    case signed32(Int32)
    case texts([String])
    /// `a{sv}`: each value in a variant.
    case dictionary([String: BusArgument])
    /// `a(du)`: how strong and how many milliseconds.
    case pulses([Pulse])
    /// A value in a variant.
    indirect case variant(BusArgument)

    /// A stretch of a vibration.
    struct Pulse: Sendable, Hashable {
        /// 0 … 1.
        var strength: Double
        var milliseconds: UInt32
    }

    /// A floating reference: whoever takes it owns it.
    var variant: OpaquePointer? {
        switch self {
        case .truth(let value): return g_variant_new_boolean(value ? 1 : 0)
        case .text(let value):
            // A zero would end the text.
            return g_variant_new_string(value.contains("\0") ? String(value.prefix { $0 != "\0" }) : value)
        case .unsigned32(let value): return g_variant_new_uint32(value)
        case .signed32(let value): return g_variant_new_int32(value)
        case .texts(let values): return Self.array("s", values.map { BusArgument.text($0).variant })
        case .dictionary(let values):
            let entries = values.sorted { $0.key < $1.key }.map { key, value in
                g_variant_new_dict_entry(Self.text(key).variant, Self.variant(value).variant)
            }
            return Self.array("{sv}", entries)
        case .pulses(let pulses):
            let pairs = pulses.map { pulse in
                var members = [g_variant_new_double(pulse.strength), g_variant_new_uint32(pulse.milliseconds)]
                return g_variant_new_tuple(&members, gsize(members.count))
            }
            return Self.array("(du)", pairs)
        case .variant(let value): return g_variant_new_variant(value.variant)
        }
    }

    /// What a call or a signal carries.
    static func tuple(_ values: [BusArgument]) -> OpaquePointer? {
        var children = values.map(\.variant)
        return g_variant_new_tuple(&children, gsize(children.count))
    }

    private static func array(_ type: String, _ values: [OpaquePointer?]) -> OpaquePointer? {
        guard let elementType = g_variant_type_new(type) else { return nil }
        defer { g_variant_type_free(elementType) }
        var children = values
        return g_variant_new_array(elementType, &children, gsize(children.count))
    }
}
