import type { License } from '@godwit/protocol'
import type { Store } from '@godwit/store'
import { SERVER_VERSION } from '../version.js'

const ID = 'license'

interface LicenseStore {
  readonly store: Pick<Store, 'registry' | 'now'>
}

/** Notes when this store was first bootstrapped. False: it was before, and nothing is changed. */
export async function issueLicense({ store }: LicenseStore): Promise<boolean> {
  // Read first: a store without room is not written to, and answers reads.
  if ((await store.registry.get('server', ID)) !== undefined) return false
  return store.registry.create('server', { id: ID, value: { issued: await store.now() } })
}

/** Whether the store was ever bootstrapped; one that came back empty was not. */
export const isLicenseIssued = async ({ store }: { readonly store: Pick<Store, 'registry'> }): Promise<boolean> =>
  (await store.registry.get('server', ID)) !== undefined

/** The terms, and how many devices use the server under them. */
export async function readLicense({ store, licensee }: LicenseStore & { readonly licensee: string }): Promise<License> {
  const [record, devices] = await Promise.all([store.registry.get('server', ID), store.registry.count('client')])
  const issued = new Date(Number(record?.value['issued'])).toISOString()
  return { licensee, license: 'Apache-2.0', version: SERVER_VERSION, seats: null, devices, issued }
}
