import { SyncError } from '@godwit/protocol'
import type { DeviceStatus } from '../remote/protocol.js'
import type { RemoteDevice, RemoteEvent, Snapshot } from '../remote/remote-device.js'
import type { Credentials } from '../run/sign-in.js'
import type { TokenLoginOptions } from '../sdk/accounts.js'

interface SigningDevice {
  readonly login: RemoteDevice<unknown>['login']
  readonly status: Snapshot<Pick<DeviceStatus, 'signIn' | 'role' | 'connected'>>
  events(): AsyncIterable<RemoteEvent<unknown>>
}

/**
 * Gives a device in a worker the tokens that its page has: for `login()` without a password, before the session ends, and when the server has ended it. Of
 * several pages, the one that owns the device does so. Returns the `login` of the page.
 */
export function pageCredentials(device: SigningDevice, credentials: Credentials): SigningDevice['login'] {
  let renewed: string | undefined
  const renew = async (): Promise<void> => {
    if (device.status.current().role === 'guest') return
    const token = await credentials()
    if (token === undefined || token === renewed) return
    renewed = token
    await device.login({ token, renew: true })
  }
  const renewQuietly = (): void => void renew().catch(() => {})
  let wasSignedOut = false
  device.status.subscribe(() => {
    const { connected, signIn } = device.status.current()
    const isSignedOut = connected && signIn === 'signed_out'
    if (isSignedOut && !wasSignedOut) renewQuietly()
    wasSignedOut = isSignedOut
  })
  void listen(device, renewQuietly)
  return async (first?: string | TokenLoginOptions, ...rest: readonly unknown[]): Promise<void> => {
    if (typeof first === 'string') return device.login(first, ...(rest as [string]))
    const token = first?.token ?? (await credentials())
    if (token === undefined)
      throw new SyncError('logged_out', 'The credentials gave no token: sign in at the identity provider first.')
    await device.login({ ...first, token })
  }
}

async function listen(device: SigningDevice, renew: () => void): Promise<void> {
  for await (const { kind } of device.events()) if (kind === 'credentials') renew()
}
