import { setTimeout } from 'node:timers/promises'
import { type Crowd, type CrowdStep, gather } from './crowd.js'
import { type MeasuredStep, measureStep } from './measure-step.js'
import type { LoadOptions } from './options.js'
import { type Stage, setStage } from './stage.js'
import type { Tally } from './tally.js'
import { type Memory, memoryOf } from './usage.js'

/** The result of a run. */
export interface Load {
  readonly options: LoadOptions
  readonly steps: readonly MeasuredStep[]
  /** Measured with the objects at the start, after a warm-up, and after each step that may retain memory. */
  readonly memory: {
    readonly empty: Memory
    readonly filled: Memory
    readonly warm: Memory
    readonly joined: Memory
    readonly synced: Memory
    readonly listening?: Memory
  }
}

/** Devices that sync before the others, to fill the server's caches. */
const WARM_UP_DEVICES = 50

/** Runs the steps fill, join, sync and listen, each by all devices, and measures memory in between. */
export async function runLoad(options: LoadOptions): Promise<Load> {
  const stage = await setStage(options)
  try {
    const empty = await memoryOf(stage)
    await stage.push(0, options.objects)
    const filled = await memoryOf(stage)
    await warmUp(stage, options)
    const warm = await memoryOf(stage)
    return await withCrowd(stage, { ...options, name: 'load' }, async crowd => {
      const joining = await measureStep(stage, 'join', [() => crowd.take({ do: 'join', objects: options.objects })])
      const joined = await memoryOf(stage)
      const rounds = Array.from({ length: options.rounds }, (_, round) => async () => {
        await setTimeout(options.pause * 1000)
        await stage.push(0, options.changes, round + 1)
        return crowd.take({ do: 'sync', changes: options.changes })
      })
      const syncing = await measureStep(stage, 'sync', rounds)
      const synced = await memoryOf(stage)
      const steps = [joining, syncing]
      const memory = { empty, filled, warm, joined, synced }
      if (!options.streams) return { options, steps, memory }
      steps.push(await measureStep(stage, 'listen', [() => crowd.take({ do: 'listen' })]))
      const listening = await memoryOf(stage)
      steps.push(await measureStep(stage, 'beat', [() => crowd.take({ do: 'beat' })]))
      steps.push(await measureStep(stage, 'hear', [() => changeAndHear(stage, crowd)]))
      return { options, steps, memory: { ...memory, listening } }
    })
  } finally {
    await stage.end()
  }
}

async function changeAndHear(stage: Stage, crowd: Crowd): Promise<Tally> {
  const since = Date.now()
  const [tally] = await Promise.all([crowd.take({ do: 'hear', since }), stage.push(0, 1, since)])
  return tally
}

async function warmUp(stage: Stage, options: LoadOptions): Promise<void> {
  const few = { ...options, devices: WARM_UP_DEVICES, users: WARM_UP_DEVICES, processes: 1, writes: 2, name: 'warm' }
  const steps: readonly CrowdStep[] = [
    { do: 'join', objects: options.objects },
    { do: 'sync', changes: 0 },
    { do: 'sync', changes: 0 },
    { do: 'listen' },
    { do: 'close' },
  ]
  await withCrowd(stage, few, async crowd => {
    for (const step of steps) {
      const { failed, errors } = await crowd.take(step)
      if (failed > 0) throw new Error(`${step.do} failed before the measurements: ${errors.join('; ')}`)
    }
  })
}

async function withCrowd<T>(
  { servers }: Stage,
  options: LoadOptions & { readonly name: string },
  use: (crowd: Crowd) => Promise<T>,
): Promise<T> {
  const crowd = gather({ ...options, urls: servers.map(({ url }) => url) })
  try {
    return await use(crowd)
  } finally {
    await crowd.leave()
  }
}
