import type { OpenModel } from '../database/open-models.js'
import { NEW_SOURCE, type SourceState } from '../database/source-states.js'
import type { ReadPage } from '../http/read-page.js'

/** The sync states of the sources of a device that stores no rows. */
export class Positions {
  readonly #states = new Map<string, SourceState>()

  get(source: string): SourceState {
    return this.#states.get(source) ?? NEW_SOURCE
  }

  /** Advances a source's state by a page, as a device that stores rows does. */
  apply(source: string, { epoch, token, ends, head = 0 }: ReadPage): void {
    const known = this.get(source)
    const base = ends ? head : known.base
    this.#states.set(source, { ...known, epoch, token, running: ends !== true, base })
  }

  /** Returns a model with only the members that automatic syncs use: `listening-device.test.ts` fails if one is missing. */
  modelOf(name: string): OpenModel {
    const state = { get: () => this.get(name) }
    const definition = { syncType: 'incremental', belongsTo: new Map() }
    return { name, definition, state, isBulkOnly: false, synced: true } as unknown as OpenModel
  }
}
