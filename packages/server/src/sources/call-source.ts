import { SyncError } from '@godwit/protocol'
import { putBlob as keepBlob } from '../blobs/put-blob.js'
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
  readonly inTime: Promise<T>
  /** The result whenever it comes, also after the time-out. */
  readonly ever: Promise<T>
}

/** Keeps the signal of a call in force until this work is over too, without waiting for it. */
export type HoldSignal = (work: Promise<unknown>) => void

/** Calls a method of a source with a context whose signal ends with the time-out and with the server. */
export function callSource<T>(
  engine: CallEngine,
  { source, user, partition, timeout }: CallTarget,
  run: (context: SourceContext, linger: HoldSignal) => T | Promise<T>,
): SourceCall<T> {
  const { log, stopping, timers } = engine
  const ended = new EndSignal(stopping)
  const putBlob: SourceContext['putBlob'] = content => keepBlob(engine, { source: source.name, partition }, content)
  const context: SourceContext = {
    user,
    partition: partitionName(partition),
    get signal() {
      return ended.signal
    },
    log,
    putBlob,
  }
  const lingering: Promise<unknown>[] = []
  const ever = (async () => run(context, work => void lingering.push(work)))()
  const inTime = new Promise<T>((resolve, reject) => {
    const tooLate = (): void => {
      reject(new SyncError('backend_timeout', `${source.name} did not answer within ${timeout} s.`))
      ended.end()
    }
    const clearTimer = timers.start(tooLate, timeout * 1000)
    const letGo = (): void => {
      clearTimer()
      ended.release()
    }
    ever.then(resolve, reject).finally(() => {
      if (lingering.length === 0) letGo()
      else void Promise.allSettled(lingering).then(letGo)
    })
  })
  return { inTime, ever }
}
