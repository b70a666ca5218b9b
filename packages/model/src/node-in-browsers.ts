import { SyncError } from '@godwit/protocol'

/** The entry of `@godwit/model/node` in bundles for browsers, where Node's files and SQLite do not exist. */
export async function openSdk(): Promise<never> {
  throw new SyncError(
    'value_not_allowed',
    '@godwit/model/node opens devices in Node and what is built on it, and this is a bundle for browsers: open the device with openSdkOn of @godwit/model/driver, on a SQLite that runs there.',
  )
}
