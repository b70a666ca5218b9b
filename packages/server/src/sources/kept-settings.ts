import type { RecordValue, Store } from '@godwit/store'
import type { ChangeableSettings } from './source.js'

/** The settings that an operator may change at run time; they are kept in the registry and win over the code. */
const CHANGEABLE = [
  'pollInterval',
  'syncType',
  'queue',
  'queryQueue',
  'cudQueue',
  'syncPriority',
  'retryLimit',
  'pushNotify',
] as const satisfies readonly (keyof ChangeableSettings)[]

const PAGE = 500
const DYNAMIC = 'dynamic'

// A registry takes null for "absent"; a queue that was unset must still win over that of the code.
const UNSET = ''

/** What the registry keeps of one source. */
export interface Kept {
  readonly settings: Partial<ChangeableSettings>
  /** True for a source that is not configured and was created at its first use. */
  readonly dynamic: boolean
}

type Registry = Pick<Store, 'registry'>

/** By name of the source. */
export async function readKept({ registry }: Registry): Promise<ReadonlyMap<string, Kept>> {
  const kept = new Map<string, Kept>()
  for (let after: string | undefined; ; ) {
    const page = await registry.list('source', { after, limit: PAGE })
    for (const { id, value } of page) kept.set(id, keptOf(value))
    after = page.at(-1)?.id
    if (page.length < PAGE) return kept
  }
}

/** Keeps a change beside what was changed before. */
export async function keepChange(
  { registry }: Registry,
  id: string,
  change: Partial<ChangeableSettings>,
): Promise<Kept> {
  const value = Object.fromEntries(Object.entries(change).map(([name, setting]) => [name, setting ?? UNSET]))
  await registry.create('source', { id, value: {} })
  return keptOf((await registry.merge('source', id, value))?.value ?? value)
}

/** Keeps that a source came into being. */
export async function keepName({ registry }: Registry, id: string): Promise<void> {
  await registry.create('source', { id, value: { [DYNAMIC]: true } })
}

const keptOf = (value: RecordValue): Kept => ({
  dynamic: value[DYNAMIC] === true,
  settings: Object.fromEntries(
    CHANGEABLE.filter(name => Object.hasOwn(value, name)).map(name => [
      name,
      value[name] === UNSET ? null : value[name],
    ]),
  ),
})
