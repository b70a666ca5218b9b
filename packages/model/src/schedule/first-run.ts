import type { OpenModel } from '../database/open-models.js'
import type { Runner } from '../sync/runner.js'
import type { SourceSummary, SyncOptions, SyncSummary } from '../sync/sync.js'

/** The first run after a login or an opening. A `sync()` during it joins it. */
export class FirstRun {
  readonly summary: Promise<SyncSummary>
  readonly #models: ReadonlySet<string>
  readonly #begun = new Set<string>()

  constructor(runner: Pick<Runner, 'runQueued'>, models: readonly OpenModel[], isAutomatic: boolean) {
    this.#models = new Set(models.map(({ name }) => name))
    const recordBegun = (source: string): void => void this.#begun.add(source)
    this.summary = runner.runQueued({ models, query: {}, begun: recordBegun, isAutomatic })
  }

  /** Runs sources that it is processing, has finished or does not know once more, so that writes made until now are included. */
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

/** Takes the latest summary of each source. */
function mergeSummaries({ sources: first }: SyncSummary, rest: SyncSummary): SyncSummary {
  const last = new Map([...first, ...rest.sources].map(one => [one.source, one]))
  const sources = [...last.values()]
  const sum = (of: (source: SourceSummary) => number) => sources.reduce((all, source) => all + of(source), 0)
  return { ...rest, sources, received: sum(({ received }) => received), sent: sum(({ sent }) => sent) }
}
