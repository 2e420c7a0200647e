import CGIO

/// A value as it travels on the bus, with every pointer left behind.
///
/// What comes in is from strangers: anything may be there. A value that is not one of these, or that is nested deeper or is
/// longer than anything that is asked for here, becomes `other`.
package enum BusValue: Sendable, Hashable {
    case truth(Bool)
    case text(String)
    /// An integer of any size and sign.
    case integer(Int64)
    /// As `integer`, but above `Int64.max`.
    case unsigned(UInt64)
    case real(Double)
    /// An array or a structure.
    case list([BusValue])
    /// A dictionary with strings as keys; of equal keys the last counts.
    case dictionary([String: BusValue])
    case other

    private static let deepest = 8
    private static let longest = 4_096
    private static let longestText = 65_536

    package var truth: Bool? { if case .truth(let value) = self { value } else { nil } }

    package var text: String? { if case .text(let value) = self { value } else { nil } }

    package var list: [BusValue]? { if case .list(let values) = self { values } else { nil } }

    package var dictionary: [String: BusValue]? { if case .dictionary(let values) = self { values } else { nil } }

    /// The strings of a list of nothing else.
    package var texts: [String]? {
        guard let list else { return nil }
        let texts = list.compactMap(\.text)
        return texts.count == list.count ? texts : nil
    }

    package var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .unsigned(let value): Double(value)
        case .real(let value): value
        default: nil
        }
    }

    /// A whole number that fits.
    package func whole<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) -> Number? {
        switch self {
        case .integer(let value): Number(exactly: value)
        case .unsigned(let value): Number(exactly: value)
        default: nil
        }
    }

    // MARK: From GLib

    /// - Parameter variant: borrowed.
    init(_ variant: OpaquePointer) { self.init(variant, depth: 0) }

    private init(_ variant: OpaquePointer, depth: Int) {
        guard depth < Self.deepest else {
            self = .other
            return
        }
        switch g_variant_classify(variant) {
        case G_VARIANT_CLASS_BOOLEAN: self = .truth(g_variant_get_boolean(variant) != 0)
        case G_VARIANT_CLASS_BYTE: self = .integer(Int64(g_variant_get_byte(variant)))
        case G_VARIANT_CLASS_INT16: self = .integer(Int64(g_variant_get_int16(variant)))
        case G_VARIANT_CLASS_UINT16: self = .integer(Int64(g_variant_get_uint16(variant)))
        case G_VARIANT_CLASS_INT32: self = .integer(Int64(g_variant_get_int32(variant)))
        case G_VARIANT_CLASS_UINT32: self = .integer(Int64(g_variant_get_uint32(variant)))
        case G_VARIANT_CLASS_INT64: self = .integer(Int64(g_variant_get_int64(variant)))
        case G_VARIANT_CLASS_UINT64:
            let value = UInt64(g_variant_get_uint64(variant))
            self = Int64(exactly: value).map { .integer($0) } ?? .unsigned(value)
        case G_VARIANT_CLASS_DOUBLE: self = .real(g_variant_get_double(variant))
        case G_VARIANT_CLASS_STRING, G_VARIANT_CLASS_OBJECT_PATH, G_VARIANT_CLASS_SIGNATURE:
            self = Self.text(of: variant)
        case G_VARIANT_CLASS_VARIANT: self = Self.child(0, of: variant, depth)
        case G_VARIANT_CLASS_ARRAY:
            let isDictionary = String(cString: g_variant_get_type_string(variant)).hasPrefix("a{s")
            self = isDictionary ? Self.dictionary(of: variant, depth) : Self.list(of: variant, depth)
        case G_VARIANT_CLASS_TUPLE, G_VARIANT_CLASS_DICT_ENTRY: self = Self.list(of: variant, depth)
        default: self = .other
        }
    }

    private static func text(of variant: OpaquePointer) -> BusValue {
        var length: gsize = 0
        guard let text = g_variant_get_string(variant, &length), length <= longestText else { return .other }
        return .text(String(cString: text))
    }

    private static func child(_ index: Int, of variant: OpaquePointer, _ depth: Int) -> BusValue {
        guard let child = g_variant_get_child_value(variant, gsize(index)) else { return .other }
        defer { g_variant_unref(child) }
        return BusValue(child, depth: depth + 1)
    }

    private static func list(of variant: OpaquePointer, _ depth: Int) -> BusValue {
        let count = g_variant_n_children(variant)
        guard count <= longest else { return .other }
        return .list((0..<Int(count)).map { child($0, of: variant, depth) })
    }

    private static func dictionary(of variant: OpaquePointer, _ depth: Int) -> BusValue {
        guard case .list(let entries) = list(of: variant, depth) else { return .other }
        return .dictionary(Dictionary(entries.compactMap(\.pair)) { $1 })
    }

    /// An entry of a dictionary.
    private var pair: (String, BusValue)? {
        guard case .list(let parts) = self, parts.count == 2, let key = parts[0].text else { return nil }
        return (key, parts[1])
    }
}
