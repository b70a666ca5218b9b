import { type DeviceCounts, ListeningDevice } from '@godwit/model/testing'
import { answer } from './child.js'
import { pause } from './phase.js'

export interface ListenersSettings {
  readonly url: string
  /** Number of the first device, and count of devices. */
  readonly first: number
  readonly count: number
  /** Seconds between two syncs. */
  readonly pollInterval: number
}

export type ListenersQuestion =
  | { readonly do: 'login' }
  /** Counts the devices that lack a version of a source. */
  | { readonly do: 'behind'; readonly source: string; readonly head: number }
  | { readonly do: 'counts' }

/** Maximum concurrent logins of one process: each is followed by a stream and the first pulls. */
const AT_ONCE = 8
/** Login attempts before a device fails, and milliseconds of the first pause between them; each pause is longer by the same time. */
const ATTEMPTS = 10
const PAUSE = 1000

/** Runs listening devices in this process. */
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

/** Logs a device in, with retries, since a busy machine responds late. Once it has a session, the device continues automatically. */
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
