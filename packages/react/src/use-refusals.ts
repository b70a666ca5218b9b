import type { Access, EditOf, LiveQuery, LiveRows, RemoteRefusal, TypedModel } from '@godwit/model'
import { useMemo, useSyncExternalStore } from 'react'
import { useHookDevice } from './provider.js'
import { serverRows } from './use-query.js'

/** Returns refused changes that are not settled yet, kept up to date. Each has `retry()`, `edit(changes)` and `dismiss()`. */
export function useRefusals<Name extends string, Ms, P extends Access>(
  model?: TypedModel<Name, Ms, P>,
): LiveRows<RemoteRefusal<Name, EditOf<Name, Ms>>> {
  const device = useHookDevice()
  const name = model?.name
  const live = useMemo(
    () => device.liveRefused(name as never) as LiveQuery<RemoteRefusal<Name, EditOf<Name, Ms>>>,
    [device, name],
  )
  return useSyncExternalStore(live.subscribe, live.current, serverRows)
}
