import { integer, literal, object, type Schema, string } from '../schema.js'

/** The license of this server. */
export interface License {
  /** The licensee that the operator configured, or a sentence stating that anyone may use the server. */
  readonly licensee: string
  /** An SPDX identifier. */
  readonly license: 'Apache-2.0'
  /** The version of the server. */
  readonly version: string
  /** Always null: unlimited. */
  readonly seats: null
  /** The number of registered devices. */
  readonly devices: number
  /** When this store was first bootstrapped, ISO 8601 UTC. */
  readonly issued: string
}

export const licenseSchema: Schema<License> = object<License>({
  licensee: string(),
  license: literal('Apache-2.0'),
  version: string(),
  seats: { type: 'null' },
  devices: integer({ minimum: 0 }),
  issued: string(),
})
