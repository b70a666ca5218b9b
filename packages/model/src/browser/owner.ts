import { SyncError } from '@godwit/protocol'
import { fromWire } from '../remote/error-values.js'
import type { OwnerMessage, WorkerMessage } from './messages.js'

/** Milliseconds that a worker may take to open the device, to answer, and to close it. */
const REPLY_TIMEOUT_MS = 10_000
const PING_INTERVAL_MS = 3_000
/** How often a failing worker is started. */
const MAX_STARTS = 2

/** Callbacks about the owner's worker. */
export interface OwnerEvents {
  /** A worker was started. It reports by itself when it is ready. */
  started(worker: Worker): void
  opened(storage: 'opfs' | 'memory', isNew: boolean): void
  /** The worker ended or was terminated. */
  stopped(): void
  /** True while the device reports a long step. */
  isBusy(): boolean
}

export interface OwnerOptions {
  readonly worker: () => Worker
  readonly open: OwnerMessage & { readonly owner: 'open' }
  readonly events: OwnerEvents
}

/** The worker of the page that owns a device. */
export class Owner {
  readonly #options: OwnerOptions
  #end: () => void = () => {}
  #letGo: () => void = () => {}

  constructor(options: OwnerOptions) {
    this.#options = options
  }

  /** Resolves when the device is released. Rejects if no worker could open it. */
  async run(): Promise<void> {
    for (let start = 1; ; start++) {
      const error = await this.#runOnce()
      if (!error) return
      if (start === MAX_STARTS || error.code === 'reload_needed') throw error
    }
  }

  /** Terminates the worker. Committed data stays. */
  end(): void {
    this.#end()
  }

  /** Asks the worker to close the device. */
  letGo(): void {
    this.#letGo()
  }

  #runOnce(): Promise<SyncError | undefined> {
    const { worker: make, open, events } = this.#options
    return new Promise(resolve => {
      const worker = make()
      let isOpen = false
      let silentSince: number | undefined = performance.now()
      const stop = (error?: SyncError): void => {
        clearInterval(timer)
        worker.terminate()
        events.stopped()
        resolve(error)
      }
      const post = (message: OwnerMessage): void => worker.postMessage(message)
      const timer = setInterval(() => {
        if (silentSince !== undefined && performance.now() - silentSince > REPLY_TIMEOUT_MS && !events.isBusy())
          return stop(silentOwnerError())
        silentSince ??= performance.now()
        post({ owner: 'ping' })
      }, PING_INTERVAL_MS)
      worker.addEventListener('message', ({ data }: MessageEvent<WorkerMessage>) => {
        if (data.worker === 'pong' && isOpen) silentSince = undefined
        else if (data.worker === 'failed') stop(fromWire(data.error))
        else if (data.worker === 'closed') stop()
        else if (data.worker === 'opened') {
          isOpen = true
          silentSince = undefined
          events.opened(data.storage, data.isNew)
        }
      })
      worker.addEventListener('error', event => {
        if (!isOpen) stop(workerStartError(event.message))
      })
      this.#end = () => stop()
      this.#letGo = () => {
        silentSince ??= performance.now()
        post({ owner: 'let-go' })
      }
      events.started(worker)
      post(open)
    })
  }
}

/** The error of calls to a worker that does not answer. */
export const silentOwnerError = (): SyncError =>
  new SyncError('owner_silent', 'The device worker did not respond. Switch to its tab, reload it, or close it.')

const workerStartError = (message: string | undefined): SyncError =>
  new SyncError(
    'database_failed',
    `The device worker cannot run: ${message || 'its script did not load'}. Start a module worker that calls serveDevice.`,
  )
