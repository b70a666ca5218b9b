import type { JsonValue } from '@godwit/protocol'
import { attributesText, changeObject, compareIds, parseAttributes, recordEnd } from '../history/index.js'
import type { RecordValue, RegistryRecord } from '../registry.js'

interface StoredRecord {
  readonly text: string
  readonly owner?: string | undefined
  readonly expiresAt?: number | undefined
}

/** Records of one kind. Expired ones count as absent, and are removed when accessed. */
export class RecordTable {
  readonly #clock: () => number
  readonly #records = new Map<string, StoredRecord>()

  constructor(clock: () => number) {
    this.#clock = clock
  }

  get(id: string): RegistryRecord | undefined {
    const record = this.#find(id.toWellFormed())
    if (!record) return undefined
    const { text, owner, expiresAt } = record
    const value: Record<string, JsonValue> = parseAttributes(text)
    return {
      id: id.toWellFormed(),
      value,
      ...(owner !== undefined && { owner }),
      ...(expiresAt !== undefined && { expiresAt }),
    }
  }

  create({ id, value, owner, expiresAt }: RegistryRecord): boolean {
    if (this.#find(id.toWellFormed())) return false
    const record = { text: attributesText(value), owner: owner?.toWellFormed(), expiresAt: recordEnd(expiresAt) }
    this.#records.set(id.toWellFormed(), record)
    return true
  }

  merge(id: string, change: RecordValue, expiresAt: number | undefined): RegistryRecord | undefined {
    const record = this.#find(id.toWellFormed())
    if (!record) return undefined
    const text = changeObject(record.text, { merge: change })?.text ?? record.text
    this.#records.set(id.toWellFormed(), { ...record, text, expiresAt: recordEnd(expiresAt) ?? record.expiresAt })
    return this.get(id)
  }

  delete(id: string): boolean {
    return this.#find(id.toWellFormed()) !== undefined && this.#records.delete(id.toWellFormed())
  }

  /** Returns ids in order, optionally of one owner. */
  ids(owner: string | undefined): readonly string[] {
    const isOwned = (id: string) => owner === undefined || this.#records.get(id)?.owner === owner.toWellFormed()
    return [...this.#records.keys()].filter(id => isOwned(id) && this.#find(id)).sort(compareIds)
  }

  /** Returns the number of records of each owner. */
  countEach(owners: readonly string[]): readonly number[] {
    const counts = new Map(owners.map(owner => [owner.toWellFormed(), 0]))
    for (const [id, { owner = '' }] of this.#records) {
      const count = counts.get(owner)
      if (count !== undefined && this.#find(id)?.owner !== undefined) counts.set(owner, count + 1)
    }
    return owners.map(owner => counts.get(owner.toWellFormed()) ?? 0)
  }

  #find(id: string): StoredRecord | undefined {
    const record = this.#records.get(id)
    if (record?.expiresAt === undefined || record.expiresAt > this.#clock()) return record
    this.#records.delete(id)
    return undefined
  }
}
