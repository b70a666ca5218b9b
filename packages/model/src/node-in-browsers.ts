import { SyncError } from '@godwit/protocol'

/** The entry of `@godwit/model/node` in bundles for browsers, where Node's files and SQLite do not exist. */
export async function openSdk(): Promise<never> {
  throw new SyncError(
    'value_not_allowed',
    '@godwit/model/node runs in Node and runtimes built on it, but this is a bundle for browsers. Open the device with openSdkOn from @godwit/model/driver and a SQLite that runs there.',
  )
}
