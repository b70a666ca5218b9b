/**
 * The version of the device protocol that this package describes. Every page names it.
 *
 * - 1–3: the wire of the predecessor (set differences per device); not spoken here.
 * - 4: tokens instead of copies per device; mutations with numbers, keys and outcomes.
 */
export const PROTOCOL_VERSION = 4
