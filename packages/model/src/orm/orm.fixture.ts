import type { Sdk } from '../sdk.js'
import { type DriverName, driveOn, type Opened, openOn, temporaryDirectories } from '../testing/open-device.js'

const unreachable = (): Promise<Response> => Promise.reject(new TypeError('fetch failed'))

/** A device without a network, and what removes it. */
export async function offlineSdk(
  driver: DriverName = 'better-sqlite3',
): Promise<{ readonly sdk: Sdk; readonly opened: Opened; close(): Promise<void> }> {
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
