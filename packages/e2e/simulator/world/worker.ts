import { type History, historyOf } from './history.js'
import { type Machine, startMachine } from './machine.js'
import type { Feature, Plan, Scenario } from './plan.js'
import { shrink } from './shrink.js'
import { type HistoryFailure, simulate } from './simulate.js'

/** The request of the parent process. */
export interface WorkerRequest {
  readonly first: number
  readonly histories: number
  /** Whether to print every event. */
  readonly trace: boolean
  /** Whether to skip shortening a failing history. */
  readonly whole: boolean
  /** The scenario or feature for every history. Default: chosen by each seed. */
  readonly about?: Scenario | Feature | undefined
  /** Whether to report every failing history and continue. */
  readonly survey: boolean
  /** The store to use instead of those drawn by the seeds. */
  readonly store?: Plan['store'] | undefined
}

const say = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`)

async function main(order: WorkerRequest): Promise<void> {
  const machine = await startMachine({ redis: order.store === 'redis' })
  await run(order, machine)
  await machine.stop()
}

/** Runs histories until one fails; then shortens it and prints its events. */
async function run(
  { first, histories, trace, whole, survey, about, store }: WorkerRequest,
  machine: Machine,
): Promise<void> {
  for (let seed = first; seed < first + histories; seed++) {
    const history = historyOf(seed, { about, store })
    const failure = await simulate(history, machine)
    if (failure && survey) say({ seed, promise: failure.promise, message: failure.message.slice(0, 300) })
    else if (failure || trace) return report(history, failure, { trace, whole, machine })
    if ((seed - first + 1) % 50 === 0) say({ done: seed - first + 1 })
  }
  say({ done: histories, ended: true, counts: machine.counts })
}

async function report(
  history: History,
  failure: HistoryFailure | undefined,
  { trace, whole, machine }: Pick<WorkerRequest, 'trace' | 'whole'> & { readonly machine: Machine },
): Promise<void> {
  const { seed, plan, steps } = history
  if (!failure) return say({ seed, plan, steps: steps.length, ended: true })
  const again = (some: History['steps']) => simulate({ seed, plan, steps: some }, machine)
  const shorter = whole ? steps : await shrink(steps, async some => (await again(some))?.promise === failure.promise)
  const last = (whole ? undefined : await again(shorter)) ?? failure
  say({
    seed,
    plan,
    failure: { ...last, trace: trace || !whole ? last.trace : [] },
    steps: shorter.length,
    of: steps.length,
  })
  process.exitCode = 1
}

process.on('unhandledRejection', error => {
  if (error instanceof Error && /this process was killed|process of this connection/.test(error.message)) return
  throw error
})
await main(JSON.parse(process.argv[2] ?? '{}') as WorkerRequest)
