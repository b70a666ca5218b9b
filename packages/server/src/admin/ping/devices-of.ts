import type { PingSkipped } from '@godwit/protocol'
import type { RegistryRecord, Store } from '@godwit/store'
import { findUser } from '../../accounts/users/user-record.js'
import type { AdminEngine } from '../admin-engine.js'
import { providerName } from './providers/provider-name.js'

/** The facts about a client that a ping needs. */
export interface PingDevice {
  readonly client: string
  readonly login: string
  /** True if an event stream of the device is open to any process. */
  readonly isListening: boolean
  readonly provider: string | undefined
  readonly pin: string | undefined
  readonly port: string | number | undefined
  readonly phoneId: string | undefined
  readonly appId: string | undefined
}

/** The devices to ping, and the skipped ones with reasons. */
export interface PingDevices {
  readonly devices: readonly PingDevice[]
  readonly skipped: readonly PingSkipped[]
}

/** Returns the devices of these users, or those of the named clients, without duplicates, reachable ones first, and the skipped ones. */
export async function devicesOf(
  { store: { registry }, hub, pingPeers }: Pick<AdminEngine, 'store' | 'hub' | 'pingPeers'>,
  logins: readonly string[],
  clients?: readonly string[],
): Promise<PingDevices> {
  const elsewhere = await pingPeers.find(logins)
  const skipped: PingSkipped[] = []
  let all: PingDevice[] = []
  for (const login of new Set(logins)) {
    const records = (await findUser(registry, login)) ? await clientsOf(registry, login) : undefined
    for (const record of records ?? [])
      all.push(deviceOf(record, login, elsewhere.has(record.id) || hub.isOpen(login, record.id)))
    if (!records) skipped.push({ user: login, reason: 'user_not_found' })
    else if (records.length === 0) skipped.push({ user: login, reason: 'no_device' })
  }
  if (clients) {
    const wanted = new Set(clients)
    all = all.filter(({ client }) => wanted.delete(client))
    for (const client of wanted) skipped.push({ client, reason: 'client_not_found' })
  }
  const devices = eachOnce(
    all.sort((one, other) => rank(other) - rank(one)),
    skipped,
  )
  return { devices, skipped }
}

async function clientsOf(registry: Store['registry'], owner: string): Promise<readonly RegistryRecord[]> {
  const records: RegistryRecord[] = []
  for (let after: string | undefined; ; ) {
    const page = await registry.list('client', { owner, after, limit: 500 })
    records.push(...page)
    after = page.at(-1)?.id
    if (after === undefined) return records
  }
}

/** Returns what a ping needs of a client's record. `isListening`: whether it may have an open event stream. */
export function deviceOf({ id, value }: RegistryRecord, login: string, isListening: boolean): PingDevice {
  const text = (name: string): string | undefined => (typeof value[name] === 'string' && value[name]) || undefined
  const port = value['device_port']
  return {
    client: id,
    login,
    isListening,
    provider: providerName(text('device_push_type'), text('device_type')),
    pin: text('device_pin'),
    port: typeof port === 'number' ? port : text('device_port'),
    phoneId: text('phone_id'),
    appId: text('device_app_id'),
  }
}

const rank = ({ isListening, provider, pin }: PingDevice): number => (isListening ? 2 : provider && pin ? 1 : 0)

/** Removes duplicates: clients with the same phone or push address are one device with a reinstalled app. */
function eachOnce(all: readonly PingDevice[], skipped: PingSkipped[]): readonly PingDevice[] {
  const seen = new Set<string>()
  return all.filter(({ client, provider, pin, phoneId, appId }) => {
    const keys = [pin && JSON.stringify(['pin', provider, pin]), phoneId && JSON.stringify(['phone', phoneId, appId])]
    const names = keys.filter((key): key is string => key !== undefined)
    const isKnown = names.some(key => seen.has(key))
    for (const key of names) seen.add(key)
    if (isKnown) skipped.push({ client, reason: 'same_device' })
    return !isKnown
  })
}
