import type { JsonValue } from '@godwit/protocol'
import { attributesText, changeObject, compareIds, parseAttributes } from '../history/index.js'
import type { RecordKind, Registry, RegistryRecord } from '../registry.js'

interface StoredRecord {
  readonly text: string
  readonly owner?: string | undefined
  readonly expiresAt?: number | undefined
}

export interface MemoryRegistry extends Registry {
  clear(keep: readonly RecordKind[]): void
}

export function memoryRegistry(clock: () => number): MemoryRegistry {
  const kinds = new Map<RecordKind, Map<string, StoredRecord>>()
  const of = (kind: RecordKind) => {
    const records = kinds.get(kind) ?? new Map<string, StoredRecord>()
    kinds.set(kind, records)
    return records
  }
  /** Forgets what has expired. */
  const present = (kind: RecordKind, id: string): StoredRecord | undefined => {
    const record = of(kind).get(id)
    if (record?.expiresAt === undefined || record.expiresAt > clock()) return record
    of(kind).delete(id)
    return undefined
  }
  const owned = (kind: RecordKind, owner: string | undefined) =>
    [...of(kind).keys()].filter(id => {
      const record = present(kind, id)
      return record && (owner === undefined || record.owner === owner.toWellFormed())
    })
  return {
    create: async (kind, record) => {
      const id = record.id.toWellFormed()
      if (present(kind, id)) return false
      of(kind).set(id, stored(record))
      return true
    },
    get: async (kind, id) => shown(id.toWellFormed(), present(kind, id.toWellFormed())),
    merge: async (kind, givenId, change, { expiresAt } = {}) => {
      const id = givenId.toWellFormed()
      const before = present(kind, id)
      if (!before) return undefined
      const text = changeObject(before.text, { merge: change })?.text ?? before.text
      const after = { ...before, text, ...(expiresAt !== undefined && { expiresAt }) }
      of(kind).set(id, after)
      return shown(id, after)
    },
    delete: async (kind, id) => present(kind, id.toWellFormed()) !== undefined && of(kind).delete(id.toWellFormed()),
    deleteOwned: async (kind, owner) => owned(kind, owner).filter(id => of(kind).delete(id)).length,
    list: async (kind, { owner, after, limit }) =>
      owned(kind, owner)
        .filter(id => after === undefined || compareIds(id, after) > 0)
        .sort(compareIds)
        .slice(0, limit)
        .flatMap(id => shown(id, present(kind, id)) ?? []),
    count: async (kind, owner) => owned(kind, owner).length,
    clear: keep => {
      for (const kind of kinds.keys()) if (!keep.includes(kind)) kinds.delete(kind)
    },
  }
}

function stored({ value, owner, expiresAt }: RegistryRecord): StoredRecord {
  return { text: attributesText(value), owner: owner?.toWellFormed(), expiresAt }
}

function shown(id: string, record: StoredRecord | undefined): RegistryRecord | undefined {
  if (!record) return undefined
  const { text, owner, expiresAt } = record
  const value: Record<string, JsonValue> = parseAttributes(text)
  return { id, value, ...(owner !== undefined && { owner }), ...(expiresAt !== undefined && { expiresAt }) }
}
