import type { DeviceStatus } from '@godwit/model'
import { useSyncExternalStore } from 'react'
import { useHookDevice } from './provider.js'

/** Who is logged in, whether the device is online and syncs, how many changes wait or were refused, and where data is kept. */
export function useSyncStatus(): DeviceStatus {
  const { status } = useHookDevice()
  return useSyncExternalStore(status.subscribe, status.current, status.current)
}
