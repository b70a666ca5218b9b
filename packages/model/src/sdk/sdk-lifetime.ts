import { SyncError } from '@godwit/protocol'
import type { SdkParts } from './parts.js'

/** An SDK from opening to closing: what its parts are reached through. */
export class SdkLifetime<Ms> {
  readonly #parts: SdkParts<Ms>
  #closed = false

  constructor(parts: SdkParts<Ms>) {
    this.#parts = parts
  }

  /** What it is made of. Throws `sdk_closed` once it is closed. */
  get parts(): SdkParts<Ms> {
    if (this.#closed) throw new SyncError('sdk_closed', 'This SDK was closed. Open the device again.')
    return this.#parts
  }

  /** Ends syncs, sends for at most two seconds what the app wrote, if the server was there just now, and lets go of the files. */
  async close(): Promise<void> {
    if (this.#closed) return
    const { runner, events, database, automatic } = this.#parts
    this.#closed = true
    await this.#whileHeld(async () => {
      await automatic.finish()
      await runner.stop()
    })
    events.close()
    database.close()
  }

  /** Runs what the app waits for: the process lives until it is done. */
  held<T>(run: (parts: SdkParts<Ms>) => Promise<T>): Promise<T> {
    const { parts } = this
    return this.#whileHeld(() => run(parts))
  }

  async #whileHeld<T>(run: () => Promise<T>): Promise<T> {
    const release = this.#parts.hold()
    try {
      return await run()
    } finally {
      release()
    }
  }
}
