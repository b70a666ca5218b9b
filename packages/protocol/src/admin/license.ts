import { integer, literal, object, type Schema, string } from '../schema.js'

/** Under what terms this server runs. */
export interface License {
  /** Whom the operator names, or a sentence that says that anyone may use it. */
  readonly licensee: string
  /** An SPDX identifier. */
  readonly license: 'Apache-2.0'
  /** Of the server. */
  readonly version: string
  /** Always null: unlimited. */
  readonly seats: null
  /** How many are registered now. */
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
