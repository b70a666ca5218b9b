/**
 * The version of the device protocol of this package. Every page contains it.
 *
 * - 1–3: the protocol of the predecessor (set differences per device); not supported.
 * - 4: tokens instead of copies per device; mutations with numbers, keys and outcomes.
 */
export const PROTOCOL_VERSION = 4
