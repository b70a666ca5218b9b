import type { License } from '@godwit/protocol'
import type { Store } from '@godwit/store'
import { SERVER_VERSION } from '../../base/version.js'

const ID = 'license'

interface LicenseStore {
  readonly store: Pick<Store, 'registry' | 'now'>
}

/** Records the first bootstrap of this store. Returns false, and changes nothing, if it was recorded before. */
export async function issueLicense({ store }: LicenseStore): Promise<boolean> {
  // Read first, since a full store rejects writes but answers reads.
  if ((await store.registry.get('server', ID)) !== undefined) return false
  return store.registry.create('server', { id: ID, value: { issued: await store.now() } })
}

/** True if the store was ever bootstrapped, which is not so for one that was emptied. */
export const isLicenseIssued = async ({ store }: { readonly store: Pick<Store, 'registry'> }): Promise<boolean> =>
  (await store.registry.get('server', ID)) !== undefined

/** Returns the license terms and the number of registered devices. */
export async function readLicense({ store, licensee }: LicenseStore & { readonly licensee: string }): Promise<License> {
  const [record, devices] = await Promise.all([store.registry.get('server', ID), store.registry.count('client')])
  const issued = new Date(Number(record?.value['issued'])).toISOString()
  return { licensee, license: 'Apache-2.0', version: SERVER_VERSION, seats: null, devices, issued }
}
