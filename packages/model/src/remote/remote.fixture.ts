import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { nodeFiles } from '../drivers/node-files.js'
import { openSdkOn, type SdkOptions } from '../sdk/open-sdk.js'
import type { Sdk } from '../sdk/sdk.js'
import { FakeServer } from '../testing/fake-server.js'
import { driveOn } from '../testing/open-device.js'
import { defineModel } from '../typed/define-model.js'
import { t } from '../typed/t.js'
import { defineActions, remoteActions } from './actions.js'
import { type DeviceHost, type HostOptions, hostDevice } from './host.js'
import type { RemoteDevice } from './remote-device.js'
import { openRemote, type RemoteOptions } from './remote-link.js'

export const City = defineModel('City', {
  partition: 'app',
  attributes: { name: t.string(), population: t.integer().default(0) },
})
export const Visit = defineModel('Visit', {
  partition: 'user',
  attributes: {
    cityId: t.belongsTo(City, { as: 'city' }).optional(),
    note: t.string().default(''),
    tags: t.json<readonly string[]>().default([]),
    photo: t.blob().optional(),
    visitedAt: t.timestamp().optional(),
  },
})
export const models = { City, Visit }
export type Models = typeof models

export const actions = defineActions(models, {
  /** Writes in two files. */
  visitNew(sdk, name: string, note: string) {
    const city = sdk.models.City.create({ name })
    return sdk.models.Visit.create({ cityId: city.id, note })
  },
  grow(sdk, id: string) {
    const city = sdk.models.City.get(id)
    return sdk.models.City.update(id, { population: (city?.population ?? 0) + 1 })?.population
  },
  refuse(sdk): void {
    sdk.models.City.create({ name: 'half' })
    throw new RangeError('too far')
  },
  later: async sdk => sdk.models.City.create({ name: 'later' }),
  facts: () => new Map<string, unknown>([['at', new Date(0)]]),
})

export interface ServedWorld {
  readonly sdk: Sdk<Models>
  readonly host: DeviceHost
  readonly server: FakeServer
}

/** An open device with its host. */
export async function serve(
  directory: string,
  {
    host = {},
    sdk: options = {},
    server = new FakeServer(),
  }: { host?: Partial<HostOptions<Models>>; sdk?: Partial<SdkOptions<Models>>; server?: FakeServer } = {},
): Promise<ServedWorld> {
  const drive = await driveOn('better-sqlite3', directory)
  const given = { server: 'http://sync.test', fetch: server.fetch, eventStream: false, models, ...options }
  const sdk: Sdk<Models> = openSdkOn<Models>(drive, given, { files: nodeFiles(directory) })
  return { sdk, server, host: hostDevice<Models>({ sdk, models, actions, ...host }) }
}

type Page = RemoteDevice<Models, typeof actions>

/** A page over a channel of Node's own. */
export function openPage(
  host: DeviceHost,
  options: Partial<RemoteOptions<Models, typeof actions>> = {},
): { readonly page: Page; readonly close: () => void; readonly port: MessagePort } {
  const { port1, port2 } = new MessageChannel()
  host.connect(port1)
  const page = openRemote(port2, { models, actions: remoteActions<typeof actions>(), ...options })
  return {
    page,
    port: port2,
    close() {
      page.close()
      port1.close()
    },
  }
}
