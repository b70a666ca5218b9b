/** What is known about one source on one device. */
export interface Expectation {
  /** The minimum version at which each object may be shown. */
  readonly versions: Map<string, number>
  /** When the rows last became incomparable, as a sequence number compared with the starts of syncs. */
  invalidatedAt: number
  isUnknown: boolean
  /** The same for causes of a resync that the device did not notice itself. */
  emptiedAt: number
  /** Milliseconds that the later sync took which reported the source as up to date; undefined: none did. */
  upToDateAfter: number | undefined
}

/** What is known about all sources on one device. */
export class Expectations {
  readonly #expectations = new Map<string, Expectation>()
  #count = 0
  /** Sequence number of the last sync's start. */
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

  /** Marks rows as possibly belonging to another history, until a sync that begins later has completed. */
  invalidate(source: string): void {
    this.invalidateRows(source)
    Object.assign(this.of(source), { emptiedAt: this.#count, upToDateAfter: undefined })
  }

  /** The same if the device noticed it itself. */
  invalidateRows(source: string): void {
    const expectation = this.of(source)
    expectation.isUnknown = true
    expectation.invalidatedAt = ++this.#count
    expectation.versions.clear()
  }

  /** Records that a sync of this duration reported the source as up to date. */
  reportUpToDate(source: string, took: number): void {
    const expectation = this.of(source)
    if (expectation.invalidatedAt < this.#begun) expectation.isUnknown = false
    if (expectation.emptiedAt < this.#begun) expectation.upToDateAfter = took
  }
}
