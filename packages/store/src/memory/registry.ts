import { compareIds } from '../history/index.js'
import type { RecordKind, Registry } from '../registry.js'
import { RecordTable } from './record-table.js'

export interface MemoryRegistry extends Registry {
  clear(keep: readonly RecordKind[]): void
}

export function memoryRegistry(clock: () => number): MemoryRegistry {
  const tables = new Map<RecordKind, RecordTable>()
  const of = (kind: RecordKind): RecordTable => {
    const table = tables.get(kind) ?? new RecordTable(clock)
    tables.set(kind, table)
    return table
  }
  return {
    create: async (kind, record) => of(kind).create(record),
    get: async (kind, id) => of(kind).get(id),
    merge: async (kind, id, change, { expiresAt } = {}) => of(kind).merge(id, change, expiresAt),
    delete: async (kind, id) => of(kind).delete(id),
    deleteOwned: async (kind, owner) => {
      const ids = of(kind).ids(owner)
      for (const id of ids) of(kind).delete(id)
      return ids.length
    },
    list: async (kind, { owner, after, limit }) =>
      of(kind)
        .ids(owner)
        .filter(id => after === undefined || compareIds(id, after.toWellFormed()) > 0)
        .slice(0, limit)
        .flatMap(id => of(kind).get(id) ?? []),
    count: async (kind, owner) => of(kind).ids(owner).length,
    countEach: async (kind, owners) => of(kind).countEach(owners),
    clear: keep => {
      for (const kind of tables.keys()) if (!keep.includes(kind)) tables.delete(kind)
    },
  }
}
