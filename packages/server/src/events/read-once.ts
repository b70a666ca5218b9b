import type { Registry, RegistryRecord } from '@godwit/store'

/** A registry that reads each record once, for questions that are asked together. */
export function readOnce(registry: Registry): Registry {
  const records = new Map<string, Promise<RegistryRecord | undefined>>()
  return {
    ...registry,
    get: (kind, id) => {
      const key = `${kind} ${id}`
      const record = records.get(key) ?? registry.get(kind, id)
      records.set(key, record)
      return record
    },
  }
}
