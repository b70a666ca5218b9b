import { SyncError } from '@godwit/protocol'
import type { SdkParts } from './parts.js'

/** Guards the components of an SDK from opening to closing. */
export class SdkLifetime<Ms> {
  readonly #parts: SdkParts<Ms>
  #closed = false

  constructor(parts: SdkParts<Ms>) {
    this.#parts = parts
  }

  /** The components. Throws `sdk_closed` after closing. */
  get parts(): SdkParts<Ms> {
    if (this.#closed) throw new SyncError('sdk_closed', 'This SDK was closed. Open the device again.')
    return this.#parts
  }

  /** Stops syncs, sends unsent writes for up to two seconds if the server was reachable, and closes the files. */
  async close(): Promise<void> {
    if (this.#closed) return
    const { runner, events, database, automatic } = this.#parts
    this.#closed = true
    await this.#keepAliveDuring(async () => {
      await automatic.finish()
      await runner.stop()
    })
    events.close()
    database.close()
  }

  /** Runs an operation that the app awaits and keeps the process alive until it ends. */
  runAlive<T>(run: (parts: SdkParts<Ms>) => Promise<T>): Promise<T> {
    const { parts } = this
    return this.#keepAliveDuring(() => run(parts))
  }

  async #keepAliveDuring<T>(run: () => Promise<T>): Promise<T> {
    const release = this.#parts.hold()
    try {
      return await run()
    } finally {
      release()
    }
  }
}
