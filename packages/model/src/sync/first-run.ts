import type { OpenModel } from '../database/models.js'
import type { Runner } from './runner.js'
import type { SourceSummary, SyncOptions, SyncSummary } from './sync.js'

/** The first run after a login or an opening. A `sync()` while it is under way returns its summary. */
export class FirstRun {
  readonly summary: Promise<SyncSummary>
  readonly #models: ReadonlySet<string>
  readonly #begun = new Set<string>()

  constructor(runner: Pick<Runner, 'run'>, models: readonly OpenModel[], isAutomatic: boolean) {
    this.#models = new Set(models.map(({ name }) => name))
    const noteBegun = (source: string): void => void this.#begun.add(source)
    this.summary = runner.run({ models, query: {}, begun: noteBegun, isAutomatic })
  }

  /** Sources that it is at or through, and those that it does not know, run once more: what was written there until now belongs to the sync as well. */
  async joined(
    models: readonly OpenModel[],
    run: (rest: Omit<SyncOptions, 'signal'>) => Promise<SyncSummary>,
  ): Promise<SyncSummary> {
    const missed = models.filter(({ name }) => this.#begun.has(name) || !this.#models.has(name))
    const summary = await this.summary
    if (missed.length === 0 || summary.stopped) return summary
    const before = new Map(summary.sources.map(source => [source.source, source]))
    const rest = await run({ models: missed, query: {}, before })
    return mergeSummaries(summary, rest)
  }
}

/** Each source as it stands at last. */
function mergeSummaries({ sources: first }: SyncSummary, rest: SyncSummary): SyncSummary {
  const last = new Map([...first, ...rest.sources].map(one => [one.source, one]))
  const sources = [...last.values()]
  const sum = (of: (source: SourceSummary) => number) => sources.reduce((all, source) => all + of(source), 0)
  return { ...rest, sources, received: sum(({ received }) => received), sent: sum(({ sent }) => sent) }
}
