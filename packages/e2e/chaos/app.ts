import { join } from 'node:path'
import { openSdk, type Sdk } from '@godwit/model/node'
import type { Dice } from '../simulator/world/dice.js'
import type { Ledger } from './ledger.js'
import { models, SOURCE_NAMES, type SourceName } from './sources.js'

type Models = typeof models

export interface AppOptions {
  readonly folder: string
  readonly server: string
  readonly ledger: Ledger
  /** Whether the device listens for events and syncs what they announce. */
  readonly eventStream: boolean
}

/** A device and its user. */
export class App {
  readonly name: string
  readonly login: string
  readonly sdk: Sdk<Models>
  /** Error codes of runs and of sources. */
  readonly failures: string[] = []
  /** Reasons of resyncs. */
  readonly resyncs: string[] = []
  readonly #ledger: Ledger
  #syncing: Promise<void> | undefined
  #edits = 0

  private constructor(name: string, login: string, sdk: Sdk<Models>, ledger: Ledger) {
    this.name = name
    this.login = login
    this.sdk = sdk
    this.#ledger = ledger
    void this.#listen()
  }

  async #listen(): Promise<void> {
    for await (const event of this.sdk.events())
      if (event.kind === 'resync') this.resyncs.push(`${event.source}: ${event.reason}`)
  }

  /** Opens a device that is logged in and synced. */
  static async open(
    { name, login }: { readonly name: string; readonly login: string },
    { folder, server, ledger, eventStream }: AppOptions,
  ): Promise<App> {
    const sdk = await openSdk({ directory: join(folder, name), server, models, eventStream })
    sdk.pollInterval = 0
    await sdk.login(login, login)
    await sdk.sync()
    return new App(name, login, sdk, ledger)
  }

  /** Creates, updates or removes an object, chosen by the dice. */
  edit(dice: Dice): void {
    const source = dice.any(SOURCE_NAMES) as SourceName
    const model = this.sdk.models[source]
    const note = `${this.name} ${++this.#edits}`
    const row = dice.chance(0.6) ? dice.any(model.find({ order: { note: 'asc' } })) : undefined
    if (row === undefined) {
      const { id: object } = model.create({ note, count: 0 })
      this.#ledger.write({ device: this.name, source, operation: 'create', object, note })
    } else if (dice.chance(0.75) || model.hasChanges(row.id)) {
      this.#joins(source, row.id)
      model.update(row.id, { note })
      this.#ledger.write({ device: this.name, source, operation: 'update', object: row.id, note })
    } else {
      model.destroy(row.id)
      this.#ledger.write({ device: this.name, source, operation: 'delete', object: row.id, note: '' })
    }
  }

  /** Unsent edits are merged with the new one. They may have been written under the temporary id. */
  #joins(source: SourceName, object: string): void {
    for (const change of this.sdk.changes(source))
      if (change.object === object && change.state === 'unsent') this.#ledger.join(this.name, change.attributes['note'])
  }

  /** Runs one sync at a time; never rejects. */
  sync(): Promise<void> {
    this.#syncing ??= this.#sync().finally(() => {
      this.#syncing = undefined
    })
    return this.#syncing
  }

  async #sync(): Promise<void> {
    try {
      const { sources } = await this.sdk.sync()
      for (const { source, error } of sources)
        if (error) this.failures.push(`${source}: ${error.code} ${error.message}`)
    } catch (error) {
      const { code, message } = error as { readonly code?: string; readonly message: string }
      this.failures.push(`${code} ${message}`)
    }
  }

  /** Returns the device's rows of a source. */
  rows(source: SourceName): Readonly<Record<string, object>> {
    return Object.fromEntries(this.sdk.models[source].find().map(({ id, ...attributes }) => [id, present(attributes)]))
  }
}

/** Removes absent attributes, as backends store objects. */
const present = (attributes: object): object =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined))
