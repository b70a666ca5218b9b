import { composeSdk } from '../open-sdk.js'
import { Sdk } from '../sdk.js'
import { driveOn, temporaryDirectories } from '../testing/open-device.js'

const unreachable = (): Promise<Response> => Promise.reject(new TypeError('fetch failed'))

/** A device without a network, and what removes it. */
export async function offlineSdk(): Promise<{ readonly sdk: Sdk; close(): Promise<void> }> {
  const directories = temporaryDirectories()
  const drive = await driveOn('better-sqlite3', directories.make())
  const sdk = new Sdk(composeSdk(drive, { server: 'http://sync.test', fetch: unreachable }))
  return {
    sdk,
    async close() {
      await sdk.close()
      directories.removeAll()
    },
  }
}
