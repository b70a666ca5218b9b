import type { BackendSecret } from '@godwit/protocol'
import type { Registry } from '@godwit/store'

const RECORD = 'backend'

/** What the server's own secret needs. */
export interface SecretParts {
  readonly store: { readonly registry: Pick<Registry, 'get' | 'create'> }
  /** Random text of 128 bits or more. */
  readonly randomId: () => string
}

/** Returns the secret that the server made for its store; makes it if there is none. All processes of a store have the same. */
export async function ownSecret({ store: { registry }, randomId }: SecretParts): Promise<string> {
  const stored = async () => (await registry.get('server', RECORD))?.value['secret']
  let secret = await stored()
  if (secret === undefined) {
    await registry.create('server', { id: RECORD, value: { secret: randomId() } })
    secret = await stored()
  }
  return String(secret)
}

/** Returns the secret for those who set up the backend. One of the configuration is not shown. */
export async function readBackendSecret(
  parts: SecretParts & { readonly backend: { readonly hasOwnSecret: boolean } },
): Promise<BackendSecret> {
  return { secret: parts.backend.hasOwnSecret ? await ownSecret(parts) : null }
}
