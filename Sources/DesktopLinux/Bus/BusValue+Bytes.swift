import CGIO

extension BusValue {
    /// Reads bytes as GLib does those of a message that it does not trust. For tests.
    /// - Parameter type: as GVariant writes types; the value is `other` where it is none.
    package static func decode(_ type: String, _ bytes: [UInt8]) -> BusValue {
        guard g_variant_type_string_is_valid(type) != 0, let variantType = g_variant_type_new(type) else {
            return .other
        }
        defer { g_variant_type_free(variantType) }
        let held = g_bytes_new(bytes, gsize(bytes.count))
        defer { g_bytes_unref(held) }
        guard let variant = g_variant_new_from_bytes(variantType, held, 0) else { return .other }
        // The new value's reference is floating.
        g_variant_ref_sink(variant)
        defer { g_variant_unref(variant) }
        return BusValue(variant)
    }
}
