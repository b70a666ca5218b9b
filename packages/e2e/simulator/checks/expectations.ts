/** The expected state of one source on one device. */
export interface Expectation {
  /** The minimum version at which each object may be shown. */
  readonly versions: Map<string, number>
  /** When the rows last became incomparable, as a sequence number compared with the starts of syncs. */
  invalidatedAt: number
  isUnknown: boolean
  /** Like `invalidatedAt`, but only for causes of a resync that the device did not detect itself. */
  emptiedAt: number
  /** Duration in milliseconds of the later sync that reported the source as up to date; undefined if none did. */
  upToDateAfter: number | undefined
}

/** The expected states of all sources on one device. */
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

  /** Stops comparing rows until a sync that begins later has completed: they may belong to another lineage. */
  invalidate(source: string): void {
    this.invalidateRows(source)
    Object.assign(this.of(source), { emptiedAt: this.#count, upToDateAfter: undefined })
  }

  /** Like `invalidate`, but for a cause that the device detected itself. */
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
