import type { FeedSilence } from '../backend-engine.js'
import { feedReports, type ReportEngine } from './feed-reports.js'

/** The sources whose feeds are silent, as this process last read it: devices are told with each page, which must not read every feed. */
export class StaleSources implements FeedSilence {
  #since: ReadonlyMap<string, string> = new Map()

  /** Returns since when the feed of a source is silent, ISO 8601; undefined: it is up to date, or there is none. */
  since(source: string): string | undefined {
    return this.#since.get(source)
  }

  /** Reads the state of all feeds. Returns the sources that became stale, or are no longer. */
  async refresh(engine: ReportEngine): Promise<readonly string[]> {
    const before = this.#since
    const reports = await feedReports(engine)
    this.#since = new Map(
      reports.flatMap(({ sources, stale_since }) =>
        stale_since === null ? [] : sources.map(source => [source, stale_since] as const),
      ),
    )
    return [...new Set([...before.keys(), ...this.#since.keys()])].filter(
      source => before.has(source) !== this.#since.has(source),
    )
  }
}
