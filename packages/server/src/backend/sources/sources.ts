import type { ChangeableSettings, Source } from '@godwit/source'

/** The configured sources with their present settings. */
export interface Sources {
  /** Throws `source_not_found`, naming the source. */
  get(name: string): Source
  find(name: string): Source | undefined
  /**
   * Like `get`, but creates an unknown source if `dynamicSources` allows it. `user`: the login of the device's user that named it. Throws
   * `quota_exceeded` if that user created too many.
   */
  learn(name: string, user?: string): Promise<Source>
  /** Deletes a dynamic source. It is known in this process until the next `refresh`. */
  forget(name: string): Promise<void>
  /** Dynamic sources without stored settings, with their creation times. */
  learnt(): Promise<ReadonlyMap<string, number>>
  /** By priority, then name. */
  all(): readonly Source[]
  /** Restores the configured sources, after a reset. */
  reset(): void
  /** Reloads changes by other processes. Runs with every sweep, so that changes are seen everywhere within 5 s. */
  refresh(): Promise<void>
  /** Stores the settings, which apply at once; resolves to the changed source. */
  change(name: string, change: Partial<ChangeableSettings>): Promise<Source>
}
