import { type DeviceCounts, ListeningDevice } from '@godwit/model/testing'
import { answer } from './child.js'

export interface ListenersSettings {
  readonly url: string
  /** Number of the first of them, and how many there are. */
  readonly first: number
  readonly count: number
  /** Seconds. */
  readonly pollInterval: number
}

export type ListenersQuestion =
  | { readonly do: 'login' }
  /** How many are not up to a version of a source. */
  | { readonly do: 'behind'; readonly source: string; readonly head: number }
  | { readonly do: 'counts' }

/** Devices that log in at the same time. */
const AT_ONCE = 32

/** A process full of devices that listen. */
export function runListeners({ url, first, count, pollInterval }: ListenersSettings): void {
  const counts: DeviceCounts = { streams: 0, opened: 0, checks: 0, changes: 0, hinted: 0, pulls: 0, failures: {} }
  const sources = ['Shared', 'Own']
  const devices = Array.from(
    { length: count },
    () => new ListeningDevice({ server: url, sources, pollInterval, counts }),
  )
  answer<ListenersQuestion>(async question => {
    if (question.do === 'counts') return counts
    if (question.do === 'behind') {
      const { source, head } = question
      return devices.filter(device => device.headOf(source) < head).length
    }
    const waiting = devices.entries()
    const worker = async (): Promise<void> => {
      for (const [index, device] of waiting) await device.login(`listener-${first + index}`, 'any')
    }
    await Promise.all(Array.from({ length: AT_ONCE }, worker))
    return undefined
  })
}
