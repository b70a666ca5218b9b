import type { EditOf, Live, LiveRows, Place, RemoteRefusal, TypedModel } from '@godwit/model'
import { useMemo, useSyncExternalStore } from 'react'
import { useHookDevice } from './provider.js'
import { serverRows } from './use-query.js'

/** Changes that the server refused and the app has not settled yet, kept up to date. Each has `retry()`, `edit(changes)` and `dismiss()`. */
export function useRefusals<Name extends string, Ms, P extends Place>(
  model?: TypedModel<Name, Ms, P>,
): LiveRows<RemoteRefusal<Name, EditOf<Name, Ms>>> {
  const device = useHookDevice()
  const name = model?.name
  const live = useMemo(
    () => device.liveRefused(name as never) as Live<RemoteRefusal<Name, EditOf<Name, Ms>>>,
    [device, name],
  )
  return useSyncExternalStore(live.subscribe, live.current, serverRows)
}
