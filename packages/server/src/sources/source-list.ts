import { SyncError } from '@godwit/protocol'
import type { RecordValue, Store } from '@godwit/store'
import type { Sources } from '../engine.js'
import { defineSource } from './define-source.js'
import type { ChangeableSettings, Source } from './source.js'

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
] as const satisfies readonly (keyof ChangeableSettings)[]

const DYNAMIC = 'dynamic'
const MOST_LEARNT = 1000

export interface SourceListOptions {
  /** Unknown sources come into being at their first use. Default false. */
  readonly dynamic?: boolean
  /** What a source is served by. Default: itself. */
  readonly serve?: (source: Source) => Source
}

/** The configured sources, with what operators changed. Throws `value_not_allowed` when two have one name or a `belongsTo` leads nowhere. */
export async function createSourceList(
  sources: readonly Source[],
  store: Pick<Store, 'registry'>,
  { dynamic = false, serve = source => source }: SourceListOptions = {},
): Promise<Sources> {
  const configured = new Map(sources.map(source => [source.name, serve(source)]))
  const byName = new Map<string, Source>()
  const learnt = new Set<string>()
  const learn = (name: string): Source => {
    const source = serve(defineSource({ name }))
    configured.set(name, source)
    learnt.add(name)
    return source
  }
  if (dynamic) for (const name of await keptNames(store)) if (!configured.has(name)) learn(name)
  const names = new Set<string>()
  for (const { name } of sources) {
    if (names.has(name)) throw new SyncError('value_not_allowed', `Two sources are called ${name}.`)
    names.add(name)
  }
  for (const source of configured.values()) {
    const record = await store.registry.get('source', source.name)
    byName.set(source.name, record === undefined ? source : { ...source, ...changed(record.value) })
  }
  for (const { name, belongsTo } of byName.values()) {
    for (const owner of Object.values(belongsTo)) {
      if (byName.has(owner)) continue
      throw new SyncError('value_not_allowed', `${name} belongs to ${owner}, but there is no source of that name.`)
    }
  }
  let ordered = inOrder(byName)
  return {
    all: () => ordered,
    find: name => byName.get(name),
    get: name => known(byName, name),
    async learn(name) {
      if (!dynamic || byName.has(name) || learnt.size >= MOST_LEARNT) return known(byName, name)
      byName.set(name, learn(name))
      ordered = inOrder(byName)
      await store.registry.create('source', { id: name, value: { [DYNAMIC]: true } })
      return known(byName, name)
    },
    reset() {
      for (const name of learnt) configured.delete(name)
      learnt.clear()
      byName.clear()
      for (const source of configured.values()) byName.set(source.name, source)
      ordered = inOrder(byName)
    },
    async change(name, change) {
      const source = { ...known(configured, name), ...changed(await keep(store, name, change)) }
      byName.set(name, source)
      ordered = inOrder(byName)
      return source
    },
  }
}

/** The names of sources that came into being at their first use. */
async function keptNames({ registry }: Pick<Store, 'registry'>): Promise<readonly string[]> {
  const records = await registry.list('source', { limit: 10 * MOST_LEARNT })
  return records.filter(({ value }) => value[DYNAMIC] === true).map(({ id }) => id)
}

function known(byName: ReadonlyMap<string, Source>, name: string): Source {
  const source = byName.get(name)
  if (source !== undefined) return source
  throw new SyncError('source_not_found', `There is no source ${JSON.stringify(name)}.`)
}

const inOrder = (byName: ReadonlyMap<string, Source>): readonly Source[] =>
  [...byName.values()].sort((a, b) => a.syncPriority - b.syncPriority || (a.name < b.name ? -1 : 1))

async function keep(
  { registry }: Pick<Store, 'registry'>,
  id: string,
  change: Partial<ChangeableSettings>,
): Promise<RecordValue> {
  // A registry takes null for "absent"; a queue that was unset must still win over that of the code.
  const value = Object.fromEntries(Object.entries(change).map(([name, setting]) => [name, setting ?? UNSET]))
  await registry.create('source', { id, value: {} })
  return (await registry.merge('source', id, value))?.value ?? value
}

const UNSET = ''

const changed = (value: RecordValue): Partial<ChangeableSettings> =>
  Object.fromEntries(
    CHANGEABLE.filter(name => Object.hasOwn(value, name)).map(name => [
      name,
      value[name] === UNSET ? null : value[name],
    ]),
  )
