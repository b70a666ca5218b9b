import type { DeviceStatus } from '@godwit/model'
import { useSyncExternalStore } from 'react'
import { useHookDevice } from './provider.js'

/** The status of a device that no worker serves yet. A page hydrates with it, too, so that it finds what the server rendered. */
const SERVER_STATUS: DeviceStatus = {
  ...{ connected: false, role: 'opening', busy: false, problem: null },
  ...{ userId: null, userName: null, clientId: null, loggedIn: false, online: null },
  ...{ syncing: false, progress: null, waiting: 0, refused: 0 },
}
const serverStatus = (): DeviceStatus => SERVER_STATUS

/** Who is logged in, whether the device is online and syncs, how many changes wait or were refused, and where data is kept. */
export function useSyncStatus(): DeviceStatus {
  const { status } = useHookDevice()
  return useSyncExternalStore(status.subscribe, status.current, serverStatus)
}
