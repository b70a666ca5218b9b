import { Database } from './database/database.js'
import type { Drive } from './database/driver.js'
import { Models } from './database/models.js'
import { makeSystemTables } from './database/system-tables.js'
import { LocalDevice } from './local-device.js'
import { idMaker, keyMaker, type Random } from './records/new-id.js'
import { type ModelSpecs, Sdk, type SdkParts, type TypedModels } from './sdk.js'
import { Events } from './sync/events.js'
import { Runner } from './sync/runner.js'
import { Session } from './sync/session.js'
import type { Syncing } from './sync/syncing.js'
import { Transport } from './sync/transport.js'
import { createTypedModel } from './typed/typed-model.js'

/** What every platform's `openSdk` takes. */
export interface SdkOptions<Specs extends ModelSpecs = Record<never, never>> {
  /** `https://host:port` of the sync server. */
  readonly server: string
  /** Typed models; `sdk.models` has them. */
  readonly models?: Specs
  /** Default: the platform's. */
  readonly fetch?: typeof fetch
  /** Milliseconds since 1970. Default: Date.now. */
  readonly clock?: () => number
  /** Fills bytes at random. Default: crypto.getRandomValues. */
  readonly random?: Random
  /** How long one request may take. Default: 120,000. */
  readonly timeoutMilliseconds?: number
}

const PAGE_SIZE = 2000
const TIMEOUT_MILLISECONDS = 120_000

/** Opens the device on a drive of one's own: for another SQLite than those of Node and browsers, and for tests that hold the database in their hands. */
export const openSdkOn = <Specs extends ModelSpecs>(drive: Drive, options: SdkOptions<Specs>): Sdk<Specs> =>
  new Sdk(composeSdk(drive, options))

/** Opens a device on a drive, and composes what an SDK is made of. */
export function composeSdk<Specs extends ModelSpecs>(drive: Drive, options: SdkOptions<Specs>): SdkParts<Specs> {
  const clock = options.clock ?? Date.now
  const random = options.random ?? (bytes => void crypto.getRandomValues(bytes))
  const database = new Database(drive)
  makeSystemTables(database)
  const models = new Models(database)
  const session = new Session(database, models)
  session.claim()
  const events = new Events()
  const settings = { pageSize: PAGE_SIZE }
  const transport = new Transport({
    server: options.server,
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    timeoutMilliseconds: options.timeoutMilliseconds ?? TIMEOUT_MILLISECONDS,
  })
  const syncing: Syncing = {
    database,
    models,
    session,
    transport,
    events,
    now: () => new Date(clock()).toISOString(),
    newKey: keyMaker(random),
    pageSize: () => settings.pageSize,
    refused: refusal => device.tellRefused(refusal),
  }
  const runner = new Runner(syncing, drive)
  const device: LocalDevice = new LocalDevice({
    database,
    models,
    session,
    newId: idMaker(random, clock),
    pushChanges: model => runner.run({ models: [model], query: {}, only: 'push' }).then(noResult, noResult),
  })
  return {
    database,
    registry: models,
    device,
    session,
    transport,
    events,
    runner,
    settings,
    models: typedModels(device, options.models),
  }
}

// What went wrong was told as an event; who wants to know calls sync.
const noResult = (): void => {}

function typedModels<Specs extends ModelSpecs>(device: LocalDevice, specs: Specs | undefined): TypedModels<Specs> {
  const entries = Object.entries(specs ?? {}).map(([name, { definition }]) => [
    name,
    createTypedModel(device.define(definition), device),
  ])
  return Object.fromEntries(entries) as TypedModels<Specs>
}
