import { type History, historyOf } from './history.js'
import type { Meeting } from './plan.js'
import { shrink } from './shrink.js'
import { type Failure, simulate } from './simulate.js'
import { VirtualTime } from './virtual-time.js'

/** What the process that started this one asks for. */
interface Order {
  readonly first: number
  readonly histories: number
  /** Prints everything that happens. */
  readonly trace: boolean
  /** Leaves a failing history as long as it is. */
  readonly whole: boolean
  /** Gives every history this plan. */
  readonly about?: Meeting
  /** Names every history that fails, and goes on. */
  readonly survey: boolean
}

const time = new VirtualTime()
const say = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`)

/** Runs histories until one fails; then makes that one short and says what happened in it. */
async function main({ first, histories, trace, whole, survey, about }: Order): Promise<void> {
  time.install()
  for (let seed = first; seed < first + histories; seed++) {
    const history = historyOf(seed, about)
    const failure = await simulate(history, time)
    if (failure && survey) say({ seed, promise: failure.promise, message: failure.message.slice(0, 300) })
    else if (failure || trace) return tell(history, failure, { trace, whole })
    if ((seed - first + 1) % 50 === 0) say({ done: seed - first + 1 })
  }
  say({ done: histories, ended: true })
}

async function tell(
  history: History,
  failure: Failure | undefined,
  { trace, whole }: Pick<Order, 'trace' | 'whole'>,
): Promise<void> {
  const { seed, plan, steps } = history
  if (!failure) return say({ seed, plan, steps: steps.length, ended: true })
  const shorter = whole
    ? steps
    : await shrink(
        steps,
        async some => (await simulate({ seed, plan, steps: some }, time))?.promise === failure.promise,
      )
  const last = (await simulate({ seed, plan, steps: shorter }, time)) ?? failure
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
await main(JSON.parse(process.argv[2] ?? '{}') as Order)
