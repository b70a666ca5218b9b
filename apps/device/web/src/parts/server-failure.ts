import { useSyncExternalStore } from 'react'
import { device } from '../device.js'

const FAILURE_CODES: ReadonlySet<string> = new Set(['internal', 'store_unavailable', 'backend_timeout'])

/** True for the error of a server that can be reached and fails, or of a proxy before it. */
export const isServerFailure = (code: string | undefined): boolean => code !== undefined && FAILURE_CODES.has(code)

/** The models for which the server failed last. */
const failing = new Set<string | null>()
const listeners = new Set<() => void>()

void follow()

async function follow(): Promise<void> {
  for await (const event of device.events()) {
    if (event.kind === 'error' && isServerFailure(event.error.code)) failing.add(event.source)
    else if (event.kind === 'error' || event.kind === 'source') failing.delete(event.source)
    else if (event.kind === 'complete' && event.failed.length === 0) failing.clear()
    for (const listener of listeners) listener()
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** True while the server answers with errors: waiting changes stay, and the device tries again. */
export const useServerFailure = (): boolean => useSyncExternalStore(subscribe, () => failing.size > 0)
