/** What the simulation knows about one source on one device. */
export interface Expectation {
  /** The lowest version at which each object may show from now on. */
  readonly versions: Map<string, number>
  /** The beginning of the last thing that made what is shown incomparable; compared with the beginnings of syncs. */
  invalidatedAt: number
  isUnknown: boolean
  /** The same for the causes of a resync, except those that the device found itself. */
  emptiedAt: number
  /** How long the sync had taken that began after that and said that it is up to date, in milliseconds; undefined: none did. */
  upToDateAfter: number | undefined
}

/** What the simulation knows about all sources on one device. */
export class Expectations {
  readonly #expectations = new Map<string, Expectation>()
  #count = 0
  /** The beginning of the last sync, to be compared with what happens meanwhile. */
  #begun = 0

  of(source: string): Expectation {
    const fresh = { versions: new Map(), invalidatedAt: 0, isUnknown: true, emptiedAt: 0, upToDateAfter: undefined }
    const expectation = this.#expectations.get(source) ?? fresh
    this.#expectations.set(source, expectation)
    return expectation
  }

  begin(): void {
    this.#begun = ++this.#count
  }

  /** What is shown may belong to another past until a sync that begins from now on has brought the source up to date. */
  invalidate(source: string): void {
    this.invalidateRows(source)
    Object.assign(this.of(source), { emptiedAt: this.#count, upToDateAfter: undefined })
  }

  /** The same, where the device itself found out. */
  invalidateRows(source: string): void {
    const expectation = this.of(source)
    expectation.isUnknown = true
    expectation.invalidatedAt = ++this.#count
    expectation.versions.clear()
  }

  /** A sync that took this number of milliseconds reported the source as up to date. */
  reportUpToDate(source: string, took: number): void {
    const expectation = this.of(source)
    if (expectation.invalidatedAt < this.#begun) expectation.isUnknown = false
    if (expectation.emptiedAt < this.#begun) expectation.upToDateAfter = took
  }
}
