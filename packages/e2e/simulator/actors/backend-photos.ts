import type { Attributes } from '@godwit/protocol'
import type { SentBlob, SourceContext, WriteContext } from '@godwit/server'
import type { SourcePlan } from '../world/plan.js'
import type { BackendEnvironment } from './backend-environment.js'
import { hashOf } from './device-files.js'

interface PhotoParts {
  readonly plan: SourcePlan
  readonly environment: BackendEnvironment
}

/** The photos of one backend, by partition: received from devices, and its own. */
export class BackendPhotos {
  readonly #plan: SourcePlan
  readonly #environment: BackendEnvironment
  readonly #kept = new Map<string, Map<string, Uint8Array>>()
  /** Photos that queries showed before they were delivered, as `partition/hash`. */
  readonly #late = new Set<string>()
  /** Photos given to the server, as `partition/hash`. */
  readonly #handedOver = new Set<string>()
  /** Hashes of the photos received for a change, by idempotency key. */
  readonly #given = new Map<string, Set<string>>()

  constructor({ plan, environment }: PhotoParts) {
    this.#plan = plan
    this.#environment = environment
  }

  bytesOf(partition: string, hash: string): Uint8Array | undefined {
    return this.#kept.get(partition)?.get(hash)
  }

  /** Adds a photo of the backend and returns its hash. */
  keep(partition: string, bytes: Uint8Array): string {
    const kept = this.#kept.get(partition) ?? new Map<string, Uint8Array>()
    this.#kept.set(partition, kept)
    const hash = hashOf(bytes)
    kept.set(hash, bytes)
    return hash
  }

  /** Stores a photo that a device sent before its change. Returns the hash of a smaller replacement if the backend resizes photos. */
  async store({ hash, read }: SentBlob, context: WriteContext): Promise<string | undefined> {
    const { partition, idempotencyKey: key } = context
    await this.#environment.delay(`a photo for ${this.#plan.name} reaches the backend`)
    if (this.#environment.callOutcome() === 'fails') throw new Error('the backend is out of order')
    const parts: Uint8Array[] = []
    for await (const part of read()) parts.push(part)
    const bytes = Buffer.concat(parts)
    if (hashOf(bytes) !== hash)
      this.#environment.violated(
        'a photo arrives as it was taken',
        `${this.#plan.name} was given other bytes for ${hash}`,
      )
    this.#give(key, this.keep(partition, bytes))
    if (this.#plan.resizes !== true) return undefined
    const smaller = Buffer.concat([bytes.subarray(0, 4), Buffer.from('smaller')])
    const other = await this.#handOver(smaller, context)
    this.#give(key, this.keep(partition, smaller))
    return other
  }

  /** Checks that the photo of a change was received; a full update may also name an unchanged photo, which the backend has. */
  check(partition: string, key: string, { photo }: Attributes): void {
    if (typeof photo !== 'string' || this.#given.get(key)?.has(photo) === true) return
    if (this.#plan.fullUpdate && this.bytesOf(partition, photo) !== undefined) return
    this.#environment.violated(
      'nothing is applied without its bytes',
      `${this.#plan.name} does not have the photo ${photo}`,
    )
  }

  /** Delivers the photos of objects before the server receives the objects: all, or those that the server lacks. */
  async putAll(objects: { readonly [id: string]: Attributes }, context: SourceContext): Promise<void> {
    const { partition } = context
    for (const { photo } of Object.values(objects)) {
      if (typeof photo !== 'string') continue
      const bytes = this.bytesOf(partition, photo)
      const isThere = this.#plan.putsAlways !== true && this.#environment.isNamed(this.#plan.name, partition, photo)
      if (bytes !== undefined && !isThere && !this.#comesLater(partition, photo)) await this.#handOver(bytes, context)
    }
  }

  /** Delivers the photo in the result of a call if the device did not send it. */
  async putDisplayed(displayed: Attributes, context: WriteContext): Promise<void> {
    const { photo } = displayed
    if (typeof photo !== 'string' || this.#given.get(context.idempotencyKey)?.has(photo) === true) return
    await this.putAll({ shown: displayed }, context)
  }

  /** Returns true if the server got the photo from here, so that no device sends it again. */
  hasHandedOver(partition: string, hash: string): boolean {
    return this.#handedOver.has(`${partition}/${hash}`)
  }

  #handOver(bytes: Uint8Array, { partition, putBlob }: SourceContext): Promise<string> {
    this.#handedOver.add(`${partition}/${hashOf(bytes)}`)
    return putBlob(bytes)
  }

  /** True the first time, if the plan delivers a photo only after a query has shown its object. */
  #comesLater(partition: string, photo: string): boolean {
    const name = `${partition}/${photo}`
    if (this.#plan.putsLate !== true || this.#late.has(name)) return false
    this.#late.add(name)
    return true
  }

  #give(key: string, hash: string): void {
    this.#given.set(key, (this.#given.get(key) ?? new Set()).add(hash))
  }
}
