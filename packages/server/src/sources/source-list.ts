import { SyncError } from '@godwit/protocol'
import type { RecordValue, Store } from '@godwit/store'
import type { Sources } from '../engine.js'
import type { Source, SourceSettings } from './source.js'

/** The settings that an operator may change at run time; they are kept in the registry and win over the code. */
export const CHANGEABLE = [
  'pollInterval',
  'syncType',
  'queue',
  'queryQueue',
  'cudQueue',
  'syncPriority',
  'retryLimit',
  'pushNotify',
] as const satisfies readonly (keyof SourceSettings)[]

/** The configured sources, with what operators changed. Throws `value_not_allowed` when two have one name or a `belongsTo` leads nowhere. */
export async function createSourceList(sources: readonly Source[], store: Pick<Store, 'registry'>): Promise<Sources> {
  const byName = new Map<string, Source>()
  for (const source of sources) {
    if (byName.has(source.name)) throw new SyncError('value_not_allowed', `Two sources are called ${source.name}.`)
    const record = await store.registry.get('source', source.name)
    byName.set(source.name, record === undefined ? source : { ...source, ...changed(record.value) })
  }
  for (const { name, belongsTo } of byName.values()) {
    for (const owner of Object.values(belongsTo)) {
      if (byName.has(owner)) continue
      throw new SyncError('value_not_allowed', `${name} belongs to ${owner}, but there is no source of that name.`)
    }
  }
  const ordered = [...byName.values()].sort((a, b) => a.syncPriority - b.syncPriority || (a.name < b.name ? -1 : 1))
  return {
    all: () => ordered,
    find: name => byName.get(name),
    get(name) {
      const source = byName.get(name)
      if (source !== undefined) return source
      throw new SyncError('source_not_found', `There is no source ${JSON.stringify(name)}.`)
    },
  }
}

const changed = (value: RecordValue): Partial<SourceSettings> =>
  Object.fromEntries(CHANGEABLE.filter(name => Object.hasOwn(value, name)).map(name => [name, value[name]]))
