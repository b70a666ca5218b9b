import type { AttributeDefinition, Definition } from '../definition/definition.js'
import type { Drive, Driver } from '../platform/driver.js'
import { composeSdk, type Platform, type SdkOptions } from '../sdk/open-sdk.js'
import type { SdkParts } from '../sdk/parts.js'
import { Sdk } from '../sdk/sdk.js'
import type { FakeServer } from './fake-server.js'
import { ManualTimers } from './manual-timers.js'

export { DRIVERS, type DriverName, driveOn, temporaryDirectories } from './places.js'

/** Returns a definition with defaults: a bag that syncs, in the user's partition. */
export function definition(
  name: string,
  given: Partial<Omit<Definition, 'attributes' | 'belongsTo'>> & {
    attributes?: Record<string, AttributeDefinition['type']>
    belongsTo?: Record<string, string | readonly string[]>
  } = {},
): Definition {
  const { attributes = {}, belongsTo = {}, ...rest } = given
  return {
    name,
    storage: 'bag',
    partition: 'user',
    syncType: 'incremental',
    syncPriority: 1000,
    freezed: false,
    fullUpdate: false,
    passThrough: false,
    schemaVersion: 0,
    indexes: [],
    ...rest,
    attributes: new Map(
      Object.entries(attributes).map(([attribute, type]) => [attribute, { name: attribute, type, option: null }]),
    ),
    belongsTo: new Map(Object.entries(belongsTo).map(([attribute, owners]) => [attribute, [owners].flat()])),
  }
}

/** Returns a drive whose connection fails at a chosen statement, as if the process ended there: uncommitted data is lost. */
export function fragile(drive: Drive): { drive: Drive; failAt(test: ((sql: string) => boolean) | undefined): void } {
  let failing: ((sql: string) => boolean) | undefined
  let dead = false
  const strike = (sql: string): void => {
    if (!dead && failing?.(sql)) dead = true
    if (dead && sql !== 'ROLLBACK') throw new Error('killed')
  }
  const wrap = (driver: Driver): Driver => ({
    ...driver,
    prepare(sql) {
      const statement = driver.prepare(sql)
      const struck =
        <Values extends readonly unknown[], Result>(run: (...values: Values) => Result) =>
        (...values: Values): Result => {
          strike(sql)
          return run(...values)
        }
      return {
        ...statement,
        run: struck(statement.run),
        get: struck(statement.get),
        all: struck(statement.all),
        arrays: struck(statement.arrays),
      }
    },
  })
  return {
    drive: { ...drive, open: file => wrap(drive.open(file)) },
    failAt(test) {
      failing = test
      dead = false
    },
  }
}

/** An open device with its SDK and components. */
export interface OpenedDevice {
  readonly sdk: Sdk
  readonly parts: SdkParts<Record<never, never>>
  readonly device: SdkParts<Record<never, never>>['device']
}

export function openOn(
  drive: Drive,
  server: Pick<FakeServer, 'fetch'>,
  definitions: readonly Definition[] = [],
  {
    files,
    ...options
  }: Pick<SdkOptions, 'clock' | 'random' | 'timers' | 'eventStream' | 'sendWrites' | 'network'> &
    Pick<Platform, 'files'> = {},
): OpenedDevice {
  // Nothing is sent automatically unless a test advances the time.
  const quiet = options.timers ? {} : { timers: new ManualTimers(), sendWrites: 'with-sync' as const }
  const given = { server: 'http://sync.test', fetch: server.fetch, eventStream: false, ...quiet, ...options }
  const parts = composeSdk(drive, given, files && { files })
  for (const one of definitions) parts.device.define(one)
  return { sdk: new Sdk(parts), parts, device: parts.device }
}
