import { type Phase, pause, runPhase } from './phase.js'
import { openStreamsWorld, type StreamsOptions } from './world.js'

export interface StreamsReport {
  readonly phases: readonly Phase[]
  /** Resident memory of the server at the end, in bytes. */
  readonly resident: number
}

/** Runs the phases, one after the other, on a server with many open streams. */
export async function runStreams(options: StreamsOptions): Promise<StreamsReport> {
  const world = await openStreamsWorld(options)
  const { sdks, join, change, restart, allListen, allHaveIt } = world
  const nothing = async (): Promise<void> => undefined
  const phases: Phase[] = []
  const phase = async (...given: Parameters<typeof runPhase> extends [unknown, ...infer Rest] ? Rest : never) => {
    const result = await runPhase(world, ...given)
    process.stderr.write(`${JSON.stringify(result)}\n`)
    phases.push(result)
  }
  try {
    await change()
    await sdks.login()
    await phase('join', { act: join, reached: allListen })
    // Hints sent during the joins cause pulls after a random delay, which is over then.
    await pause(Math.min(10_000, options.streams) + 1000)
    await phase('nothing', { act: () => pause(5000), reached: async () => true })
    await phase('a shared change', { act: change, reached: allHaveIt })
    await phase("a user's write", { act: sdks.write, reached: async () => sdks.heard() })
    await phase('a restart', { begun: () => restart('SIGTERM'), act: nothing, reached: allListen })
    await phase('a crash', { begun: () => restart('SIGKILL'), act: nothing, reached: allListen })
    await phase('a restart with a change', {
      begun: () => restart('SIGTERM'),
      act: change,
      reached: async () => (await allListen()) && (await allHaveIt()),
    })
    await phase('a source that never answers the same', {
      act: sdks.askVolatile,
      reached: async () => sdks.haveVolatile(),
    })
    await phase('ten shared changes a second', { act: () => changeOften(change), reached: allHaveIt })
    return { phases, resident: world.resident() }
  } finally {
    await world.close()
  }
}

const CHANGES = 100

async function changeOften(change: () => Promise<void>): Promise<void> {
  for (let time = 0; time < CHANGES; time++) {
    await change()
    await pause(100)
  }
}
