import { SyncError } from '@godwit/protocol'
import type { Source, SourceContext } from '@godwit/source'
import type { BackendEngine } from '../backend-engine.js'
import { EndSignal } from './end-signal.js'
import { parametersOfPartition, partitionName } from './partition-of.js'
import { putBlob as putBlobOf } from './put-blob.js'

/** The engine parts that a call of a source needs. */
export type CallEngine = Pick<BackendEngine, 'store' | 'randomId' | 'limits' | 'log' | 'stopping' | 'timers' | 'claims'>

/** The source and user of a call. */
export interface CallTarget {
  readonly source: Source
  readonly user: string
  readonly partition: string
  /** Seconds. */
  readonly timeout: number
}

/** A call of a source's method in progress. */
export interface SourceCall<T> {
  /** The result, or `backend_timeout` at the time-out. */
  readonly beforeTimeout: Promise<T>
  /** The result whenever it arrives, also after the time-out. */
  readonly eventual: Promise<T>
}

/** Keeps the signal of a call connected until this work ends, without waiting for it. */
export type HoldSignal = (work: Promise<unknown>) => void

const NO_PARAMETERS: SourceContext['parameters'] = Object.freeze({})
const NO_CLAIMS: SourceContext['claims'] = Object.freeze({})

/** Calls a method of a source with a context whose signal aborts at the time-out or when the server stops. `restartTimer` begins the time-out again. */
export function callSource<T>(
  engine: CallEngine,
  { source, user, partition, timeout }: CallTarget,
  run: (context: SourceContext, holdSignal: HoldSignal, restartTimer: () => void) => T | Promise<T>,
): SourceCall<T> {
  const { log, stopping, timers } = engine
  const ended = new EndSignal(stopping)
  const putBlob: SourceContext['putBlob'] = content => putBlobOf(engine, { source: source.name, partition }, content)
  const context = {
    user,
    claims: NO_CLAIMS,
    partition: partitionName(partition),
    parameters: parametersOfPartition(partition) ?? NO_PARAMETERS,
    get signal() {
      return ended.signal
    },
    log,
    putBlob,
  }
  const holding: Promise<unknown>[] = []
  let restartTimer = (): void => {}
  const eventual = (async () => {
    if (engine.claims !== undefined) context.claims = await engine.claims.read(user)
    return run(
      context,
      work => void holding.push(work),
      () => restartTimer(),
    )
  })()
  const beforeTimeout = new Promise<T>((resolve, reject) => {
    const tooLate = (): void => {
      reject(new SyncError('backend_timeout', `${source.name} did not answer within ${timeout} s.`))
      restartTimer = () => {}
      ended.end()
    }
    let clearTimer = timers.start(tooLate, timeout * 1000)
    restartTimer = () => {
      clearTimer()
      clearTimer = timers.start(tooLate, timeout * 1000)
    }
    const release = (): void => {
      restartTimer = () => {}
      clearTimer()
      ended.release()
    }
    eventual.then(resolve, reject).finally(() => {
      if (holding.length === 0) release()
      else void Promise.allSettled(holding).then(release)
    })
  })
  return { beforeTimeout, eventual }
}
