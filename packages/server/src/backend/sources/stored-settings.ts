import type { ChangeableSettings } from '@godwit/source'
import type { RecordValue, Store } from '@godwit/store'

/** The settings that an operator may change at run time; the registry stores them, and they override the code. */
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
const DYNAMIC_MEMBER = 'dynamic'
const LEARNT_AT_MEMBER = 'learnt_at'

// A registry treats null as absent, so a queue that was removed is stored as ''.
const UNSET = ''

/** The registry's settings of one source. */
export interface StoredSettings {
  readonly settings: Partial<ChangeableSettings>
  /** True for a source that is not configured and was created at its first use. */
  readonly dynamic: boolean
  /** When it was created, in milliseconds since 1970; 0: not recorded. */
  readonly learntAt: number
}

type SettingsStore = Pick<Store, 'registry'>

/** Returns the stored settings by source. */
export async function readStoredSettings({ registry }: SettingsStore): Promise<ReadonlyMap<string, StoredSettings>> {
  const kept = new Map<string, StoredSettings>()
  for (let after: string | undefined; ; ) {
    const page = await registry.list('source', { after, limit: PAGE })
    for (const { id, value } of page) kept.set(id, settingsOf(value))
    after = page.at(-1)?.id
    if (page.length < PAGE) return kept
  }
}

/** Stores changed settings beside earlier ones. */
export async function saveSettings(
  { registry }: SettingsStore,
  id: string,
  change: Partial<ChangeableSettings>,
): Promise<StoredSettings> {
  const value = Object.fromEntries(Object.entries(change).map(([name, setting]) => [name, setting ?? UNSET]))
  await registry.create('source', { id, value: {} })
  return settingsOf((await registry.merge('source', id, value))?.value ?? value)
}

/** The user who created a dynamic source, and when. */
export interface LearnedSource {
  /** The login of a device's user; undefined: a backend created it. */
  readonly user: string | undefined
  readonly at: number
}

/** Records a dynamic source. Returns false if it is recorded already. */
export const storeName = ({ registry }: SettingsStore, id: string, { user, at }: LearnedSource): Promise<boolean> =>
  registry.create('source', {
    id,
    value: { [DYNAMIC_MEMBER]: true, [LEARNT_AT_MEMBER]: at },
    ...(user !== undefined && { owner: user }),
  })

/** Returns the number of dynamic sources that a user created. */
export const countNames = ({ registry }: SettingsStore, user: string): Promise<number> => registry.count('source', user)

export async function forgetName({ registry }: SettingsStore, id: string): Promise<void> {
  await registry.delete('source', id)
}

const settingsOf = (value: RecordValue): StoredSettings => ({
  dynamic: value[DYNAMIC_MEMBER] === true,
  learntAt: typeof value[LEARNT_AT_MEMBER] === 'number' ? value[LEARNT_AT_MEMBER] : 0,
  settings: Object.fromEntries(
    CHANGEABLE.filter(name => Object.hasOwn(value, name)).map(name => [
      name,
      value[name] === UNSET ? null : value[name],
    ]),
  ),
})
