import type { Access, LiveQuery, LiveRows, RemoteOverwritten, TypedModel } from '@godwit/model'
import { useMemo, useSyncExternalStore } from 'react'
import { useHookDevice } from './provider.js'
import { serverRows } from './use-query.js'

/** Returns applied changes that replaced values of others, kept up to date. Each has `restore()` and `dismiss()`. */
export function useOverwritten<Name extends string, Ms, P extends Access>(
  model?: TypedModel<Name, Ms, P>,
): LiveRows<RemoteOverwritten<Name>> {
  const device = useHookDevice()
  const name = model?.name
  const live = useMemo(
    () => device.liveOverwritten(name as never) as LiveQuery<RemoteOverwritten<Name>>,
    [device, name],
  )
  return useSyncExternalStore(live.subscribe, live.current, serverRows)
}
