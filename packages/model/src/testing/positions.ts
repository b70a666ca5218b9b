import type { OpenModel } from '../database/models.js'
import { NEW_SOURCE, type SourceState } from '../database/source-states.js'
import type { ReadPage } from '../sync/read-page.js'

/** Where the sources of a device stand that keeps no rows. */
export class Positions {
  readonly #states = new Map<string, SourceState>()

  get(source: string): SourceState {
    return this.#states.get(source) ?? NEW_SOURCE
  }

  /** Goes on by a page, as the device does that stores its rows. */
  apply(source: string, { epoch, token, ends, head = 0 }: ReadPage): void {
    const known = this.get(source)
    const base = ends ? head : known.base
    this.#states.set(source, { ...known, epoch, token, running: ends !== true, base })
  }

  /** A model as far as what a device does by itself looks at it. */
  modelOf(name: string): OpenModel {
    const definition = { syncType: 'incremental', belongsTo: new Map() }
    const partition = { sources: this, outbox: { hasToSend: () => false } }
    return { name, definition, partition, synced: true } as unknown as OpenModel
  }
}
