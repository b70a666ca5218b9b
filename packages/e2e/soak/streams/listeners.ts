import { type DeviceCounts, ListeningDevice } from '@godwit/model/testing'
import { answer } from './child.js'
import { pause } from './phase.js'

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

/** Devices of one process that log in at the same time: few, since each is followed by its stream and its first pulls. */
const AT_ONCE = 8
/** Logins of a device before it counts as failed, and milliseconds between two, one more time for each. */
const ATTEMPTS = 10
const PAUSE = 1000

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
      for (const [index, device] of waiting) await logIn(device, `listener-${first + index}`)
    }
    await Promise.all(Array.from({ length: AT_ONCE }, worker))
    return undefined
  })
}

/** A machine that is busy answers late. A device that has a session goes on by itself, as that of a user would. */
async function logIn(device: ListeningDevice, login: string): Promise<void> {
  for (let attempt = 1; !device.isLoggedIn; attempt++) {
    try {
      return await device.login(login, 'any')
    } catch (error) {
      if (attempt === ATTEMPTS && !device.isLoggedIn) throw error
      if (!device.isLoggedIn) await pause(attempt * PAUSE)
    }
  }
}
