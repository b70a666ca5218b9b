/** What the simulation knows about one source on one device. */
export interface Sight {
  /** The lowest version at which each object may show from now on. */
  readonly versions: Map<string, number>
  /** The beginning of the last thing that made what is shown incomparable; compared with the beginnings of syncs. */
  loosened: number
  isLoose: boolean
  /** The same of what made it begin anew, but for what the device itself found. */
  emptied: number
  /** How long the sync had taken that began after that and said that it is up to date, in milliseconds; undefined: none did. */
  told: number | undefined
}

/** What the simulation knows about all sources on one device. */
export class Sights {
  readonly #sights = new Map<string, Sight>()
  #count = 0
  /** The beginning of the last sync, to be compared with what happens meanwhile. */
  #begun = 0

  of(source: string): Sight {
    const fresh = { versions: new Map(), loosened: 0, isLoose: true, emptied: 0, told: undefined }
    const sight = this.#sights.get(source) ?? fresh
    this.#sights.set(source, sight)
    return sight
  }

  begin(): void {
    this.#begun = ++this.#count
  }

  /** What is shown may belong to another past until a sync that begins from now on has brought the source up to date. */
  loosen(source: string): void {
    this.mend(source)
    Object.assign(this.of(source), { emptied: this.#count, told: undefined })
  }

  /** The same, where the device itself found out. */
  mend(source: string): void {
    const sight = this.of(source)
    sight.isLoose = true
    sight.loosened = ++this.#count
    sight.versions.clear()
  }

  /** A sync that took so many milliseconds said that the source is up to date. */
  tell(source: string, took: number): void {
    const sight = this.of(source)
    if (sight.loosened < this.#begun) sight.isLoose = false
    if (sight.emptied < this.#begun) sight.told = took
  }
}
