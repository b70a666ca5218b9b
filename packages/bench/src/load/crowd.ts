import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { answerOf } from '../systems/system.js'
import type { LoadOptions } from './options.js'
import { sumTallies, type Tally } from './tally.js'

/** A step that each device performs once. */
export type CrowdStep =
  | { readonly do: 'join'; readonly objects: number }
  | { readonly do: 'sync'; readonly changes: number }
  | { readonly do: 'listen' }
  /** Waits for the next heartbeat of its stream. */
  | { readonly do: 'beat' }
  /** `since`: the time just before the change, in milliseconds since 1970. */
  | { readonly do: 'hear'; readonly since: number }
  | { readonly do: 'close' }

export interface CrowdSettings extends Pick<LoadOptions, 'lanes' | 'connections' | 'writes' | 'users'> {
  /** Prefix of its users' logins. */
  readonly name: string
  readonly urls: readonly string[]
  /** Number of its first device. */
  readonly first: number
  readonly count: number
}

/** Devices in separate processes. */
export interface Crowd {
  take(step: CrowdStep): Promise<Tally>
  /** Ends the processes. */
  leave(): Promise<void>
}

export type CrowdOptions = Pick<LoadOptions, 'devices' | 'processes'> & Omit<CrowdSettings, 'first' | 'count'>

export function gather({ devices, processes, ...settings }: CrowdOptions): Crowd {
  const program = fileURLToPath(new URL('./crowd-program.js', import.meta.url))
  const children = Array.from({ length: processes }, (_, index) => {
    const first = Math.floor((devices * index) / processes)
    const count = Math.floor((devices * (index + 1)) / processes) - first
    const lanes = Math.ceil(settings.lanes / processes)
    return fork(program, [JSON.stringify({ ...settings, lanes, first, count } satisfies CrowdSettings)])
  })
  return {
    take: async step => sumTallies((await Promise.all(children.map(child => answerOf(child, step)))) as Tally[]),
    async leave() {
      await Promise.all(
        children.map(async child => {
          if (child.exitCode !== null) return
          const ended = once(child, 'exit')
          child.disconnect()
          await ended
        }),
      )
    },
  }
}
