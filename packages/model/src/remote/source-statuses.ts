import type { Definition } from '../definition/definition.js'
import type { Sdk } from '../sdk/sdk.js'
import type { SourceStatus } from './protocol.js'
import type { RemoteEvent } from './remote-device.js'

type StatusMap = { readonly [model: string]: SourceStatus }

/** The sync states of a device's sources, as its events change them. */
export class SourceStatuses {
  readonly #sdk: Sdk<unknown>
  readonly #names: readonly string[]
  /** When each source was last fetched, as of its last event. */
  readonly #refreshed = new Map<string, string>()
  #current: StatusMap = {}

  constructor(sdk: Sdk<unknown>, definitions: readonly Definition[]) {
    this.#sdk = sdk
    this.#names = definitions.flatMap(({ name, syncType }) => (syncType === 'none' ? [] : [name]))
    this.begin()
  }

  /** The same object until something changes. */
  get current(): StatusMap {
    return this.#current
  }

  /** Reads all states again, as for another user, without errors and progress. */
  begin(): void {
    this.#current = Object.fromEntries(
      this.#names.map(name => [
        name,
        { synced: this.#refreshTime(name) !== '', progress: null, error: null, staleSince: this.#staleSince(name) },
      ]),
    )
  }

  /** Ends the progress of every source. */
  idle(): void {
    for (const name of this.#names) if (this.#current[name]?.progress) this.#change(name, { progress: null })
  }

  hear(event: RemoteEvent<unknown>): void {
    if (event.kind === 'complete') this.idle()
    if (event.kind === 'progress') {
      const { source, received, total } = event
      this.#change(source, { progress: { received, total }, synced: this.#refreshTime(source) !== '' })
    }
    if (event.kind === 'error' && event.source !== null) this.#change(event.source, { error: event.error })
    if (event.kind === 'source') {
      const refreshed = this.#refreshTime(event.source)
      // Sending alone shows nothing about fetching.
      const isFetched = refreshed !== this.#refreshed.get(event.source)
      this.#refreshed.set(event.source, refreshed)
      const error = isFetched && { error: event.error ?? null }
      const staleSince = this.#staleSince(event.source)
      this.#change(event.source, { synced: refreshed !== '', progress: null, staleSince, ...error })
    }
  }

  /** Returns when a source was last fetched; '' if it never was. */
  #refreshTime(name: string): string {
    return this.#sdk.refreshTime(name as never)
  }

  #staleSince(name: string): string | null {
    return this.#sdk.staleSince(name as never)
  }

  #change(name: string, changes: Partial<SourceStatus>): void {
    const before = this.#current[name]
    if (before) this.#current = { ...this.#current, [name]: { ...before, ...changes } }
  }
}
