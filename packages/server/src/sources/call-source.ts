import { SyncError } from '@godwit/protocol'
import { putBlob as putBlobOf } from '../blobs/put-blob.js'
import type { Engine } from '../engine.js'
import { EndSignal } from './end-signal.js'
import { partitionName } from './partition-of.js'
import type { Source, SourceContext } from './source.js'

/** What a call of a source needs of the engine. */
export type CallEngine = Pick<Engine, 'store' | 'randomId' | 'limits' | 'log' | 'stopping' | 'timers'>

/** Whom a call is for. */
export interface CallTarget {
  readonly source: Source
  readonly user: string
  readonly partition: string
  /** Seconds. */
  readonly timeout: number
}

/** A call of a source's method that is under way. */
export interface SourceCall<T> {
  /** The result, or `backend_timeout` when the time is over. */
  readonly beforeTimeout: Promise<T>
  /** The result whenever it comes, also after the time-out. */
  readonly eventual: Promise<T>
}

/** Keeps the signal of a call in force until this work is over too, without waiting for it. */
export type HoldSignal = (work: Promise<unknown>) => void

/** Calls a method of a source with a context whose signal ends with the time-out and with the server. */
export function callSource<T>(
  engine: CallEngine,
  { source, user, partition, timeout }: CallTarget,
  run: (context: SourceContext, holdSignal: HoldSignal) => T | Promise<T>,
): SourceCall<T> {
  const { log, stopping, timers } = engine
  const ended = new EndSignal(stopping)
  const putBlob: SourceContext['putBlob'] = content => putBlobOf(engine, { source: source.name, partition }, content)
  const context: SourceContext = {
    user,
    partition: partitionName(partition),
    get signal() {
      return ended.signal
    },
    log,
    putBlob,
  }
  const holding: Promise<unknown>[] = []
  const eventual = (async () => run(context, work => void holding.push(work)))()
  const beforeTimeout = new Promise<T>((resolve, reject) => {
    const tooLate = (): void => {
      reject(new SyncError('backend_timeout', `${source.name} did not answer within ${timeout} s.`))
      ended.end()
    }
    const clearTimer = timers.start(tooLate, timeout * 1000)
    const release = (): void => {
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
