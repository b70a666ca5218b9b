import type { Job, JobHandler, Jobs, NewJob, Worker, WorkOptions } from '../../jobs.js'
import type { Conformance } from '../suite.js'

/** A job engine opened for one test. */
export interface JobsUnderTest {
  readonly jobs: Jobs
  /** Opens another engine over the same jobs, like a second process. Absent if unsupported. */
  readonly beside?: (() => Promise<Jobs>) | undefined
  /** Ends the first engine like a kill: running jobs are not given back, and later calls of their handlers have no effect. */
  readonly crash?: (() => Promise<void>) | undefined
  /** Reopens the jobs of a closed or killed engine, if it is `durable`. */
  readonly reopen?: (() => Promise<Jobs>) | undefined
  /** Removes files and connections after everything was closed. */
  readonly discard?: (() => Promise<void>) | undefined
}

/** A test runner and a function that opens a job engine. */
export interface JobsConformance extends Pick<Conformance, 'describe' | 'test' | 'expect' | 'durable'> {
  /** Opens an empty engine. */
  readonly open: () => Promise<JobsUnderTest> | JobsUnderTest
}

/** The engine and helpers of one test. Workers and engines are closed when it ends. */
export interface JobsScene {
  readonly jobs: Jobs
  readonly beside: (() => Promise<Jobs>) | undefined
  readonly crash: (() => Promise<void>) | undefined
  readonly reopen: (() => Promise<Jobs>) | undefined
  /** Opens an engine that continues after a crash. */
  readonly survivor: (() => Promise<Jobs>) | undefined
  /** Runs a worker until the end of the test, on `jobs` unless another engine is given. */
  work(handler: JobHandler, options?: WorkOptions & { readonly on?: Jobs }): Promise<Worker>
}

export interface JobsSuite extends JobsConformance {
  /** A test on an empty engine. */
  readonly fact: (name: string, body: (scene: JobsScene) => Promise<void>) => void
}

export function jobsSuiteOf(conformance: JobsConformance): JobsSuite {
  const fact: JobsSuite['fact'] = (name, body) => conformance.test(name, () => withScene(conformance, body), 30_000)
  return { ...conformance, fact }
}

async function withScene({ open }: JobsConformance, body: (scene: JobsScene) => Promise<void>): Promise<void> {
  const { jobs, beside, crash, reopen, discard } = await open()
  const engines = new Set([jobs])
  const workers: Worker[] = []
  const kept = (more: (() => Promise<Jobs>) | undefined) =>
    more &&
    (async () => {
      const engine = await more()
      engines.add(engine)
      return engine
    })
  const work: JobsScene['work'] = async (handler, { on = jobs, ...options } = {}) => {
    const worker = await on.work(handler, { onError: () => undefined, ...options })
    workers.push(worker)
    return worker
  }
  try {
    const survivor = crash && kept(reopen ?? beside)
    await body({ jobs, beside: kept(beside), crash, reopen: kept(reopen), survivor, work })
  } finally {
    // A killed engine cannot be closed.
    await Promise.allSettled(workers.map(worker => worker.close({ patience: 0 })))
    await Promise.allSettled([...engines].map(engine => engine.close()))
    await discard?.()
  }
}

/** A job of the queue `mail`, due at once, with short pauses. */
export const job = (id: string, more: Partial<NewJob> = {}): NewJob => ({
  queue: 'mail',
  id,
  kind: 'send',
  data: null,
  backOff: 1,
  ...more,
})

/** Waits until a condition is true; otherwise the test times out. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await pause(2)
}

export const pause = (milliseconds: number): Promise<void> =>
  new Promise(resolve => {
    setTimeout(resolve, milliseconds)
  })

/** A promise, and the function that resolves it. */
export function gate(): { readonly passed: Promise<void>; open(): void } {
  let open = (): void => undefined
  const passed = new Promise<void>(resolve => {
    open = resolve
  })
  return { passed, open: () => open() }
}

/** Waits until no job is left. */
export const untilNone = (jobs: Jobs): Promise<void> => until(async () => (await jobs.list({ limit: 1 })).length === 0)

export const idsOf = (jobs: readonly Job[]): readonly string[] => jobs.map(({ id }) => id)
