import type { Sdk } from '../sdk/sdk.js'
import { type DriverName, driveOn, type OpenedDevice, openOn, temporaryDirectories } from '../testing/open-device.js'
import type { OrmModel } from './orm-model.js'

const unreachable = (): Promise<Response> => Promise.reject(new TypeError('fetch failed'))

/** Opens a device without a network. `close` also removes its files. */
export async function offlineSdk(
  driver: DriverName = 'better-sqlite3',
): Promise<{ readonly sdk: Sdk; readonly opened: OpenedDevice; close(): Promise<void> }> {
  const directories = temporaryDirectories()
  const opened = openOn(await driveOn(driver, directories.make()), { fetch: unreachable })
  return {
    sdk: opened.sdk,
    opened,
    async close() {
      await opened.sdk.close()
      directories.removeAll()
    },
  }
}

/** Defines a model with an attribute of each type, as `bag` or `fixed`. */
export const addProducts = (sdk: Sdk, storage: string, ...switches: readonly 'sync'[]): OrmModel =>
  sdk.addModel('Product', model => {
    if (storage === 'fixed') model.enable('fixed_schema')
    model.setModelProperty('name')
    model.setModelProperty('price', 'Float')
    model.setModelProperty('stock', 'integer')
    model.setModelProperty('fresh', 'Boolean')
    for (const one of switches) model.enable(one)
  })
