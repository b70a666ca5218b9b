import type { DeviceStatus } from '@godwit/model'
import { useSyncExternalStore } from 'react'
import { useHookDevice } from './provider.js'

/** The status before a worker serves the device. Hydration uses it too, so that it matches the server's output. */
const SERVER_STATUS: DeviceStatus = {
  ...{ connected: false, role: 'opening', busy: false, problem: null },
  ...{ userId: null, userName: null, clientId: null, loggedIn: false, signIn: 'guest', online: null },
  ...{ syncing: false, progress: null, waiting: 0, refused: 0, overwritten: 0, staleSince: null },
}
const serverStatus = (): DeviceStatus => SERVER_STATUS

/** Returns the device's status: the user, connection and sync state, numbers of pending and refused changes, and where data is stored. */
export function useSyncStatus(): DeviceStatus {
  const { status } = useHookDevice()
  return useSyncExternalStore(status.subscribe, status.current, serverStatus)
}
