import { type Stats, statSync } from 'node:fs'
import { SyncError } from '@godwit/protocol'
import type { Database } from './database.js'
import { type Integrity, lookAtIntegrity } from './integrity.js'

const TODO = 'Stop the server, keep the file, and restore a backup.'

/** Watches whether the file of an open store is the same one, and whole. Signs of damage are believed until an integrity check refutes them. */
export class Soundness {
  readonly #database: Database
  readonly #path: string
  readonly #closing = new AbortController()
  #file: Stats | undefined
  #found: Integrity | undefined
  #refuting: Promise<unknown> | undefined

  /** An empty path is a store in memory. */
  constructor(database: Database, path: string) {
    this.#database = database
    this.#path = path
    this.#file = statOf(path)
  }

  /** Whether the last integrity check found the file whole; undefined before the first. */
  get intact(): boolean | undefined {
    return this.#found?.intact
  }

  /** Throws `store_unavailable` if there is a sign of damage. Never opens the file, which would release the locks of this process. */
  assert(): void {
    if (this.#found?.intact === false) throw damaged(this.#found.problems.join('; '))
    const sign = this.#sign()
    if (sign === undefined) return
    this.#refuting ??= this.#refute().finally(() => {
      this.#refuting = undefined
    })
    throw damaged(sign)
  }

  #sign(): string | undefined {
    const { damage } = this.#database
    if (damage !== undefined) return damage instanceof Error ? damage.message : String(damage)
    if (this.#path === '' || this.#file === undefined) return undefined
    const now = statOf(this.#path)
    if (now === undefined) return 'it is gone'
    if (now.ino !== this.#file.ino || now.dev !== this.#file.dev) return 'another file is in its place'
    if (now.size < this.#file.size) return `it was cut from ${this.#file.size} to ${now.size} bytes`
    this.#file = now
    return undefined
  }

  /** Checks a file with signs of damage. An intact one may have been made shorter by `VACUUM`. */
  async #refute(): Promise<void> {
    const found = await this.check().catch(() => undefined)
    if (!found?.intact) return
    this.#database.forgetDamage()
    const now = statOf(this.#path)
    if (now !== undefined && now.ino === this.#file?.ino && now.dev === this.#file.dev) this.#file = now
  }

  /** Checks every page in another process. Undefined for a store in memory, or closed meanwhile; rejects if the check cannot run. */
  async check(): Promise<Integrity | undefined> {
    if (this.#path === '') return undefined
    try {
      this.#found = await lookAtIntegrity(this.#path, this.#closing.signal)
      return this.#found
    } catch (error) {
      if (this.#closing.signal.aborted) return undefined
      throw error
    }
  }

  /** Ends a check in progress. */
  close(): void {
    this.#closing.abort()
  }
}

const statOf = (path: string): Stats | undefined =>
  path === '' ? undefined : statSync(path, { throwIfNoEntry: false })

function damaged(sign: string): SyncError {
  const line = sign.replace(/\s+/g, ' ').replace(/\.$/, '')
  return new SyncError('store_unavailable', `The file of the store is damaged: ${line}. ${TODO}`, { retryable: false })
}
