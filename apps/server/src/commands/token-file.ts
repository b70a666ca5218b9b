import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Environment } from '../environment.js'
import { UsageError } from './command.js'

/** A token saved by `godwit login`. */
export interface SavedToken {
  readonly token: string
  /** The token's id at the server, for `godwit logout`. */
  readonly id: string
  readonly login: string
  /** ISO 8601. */
  readonly expires_at: string
}

type SavedTokens = { readonly [address: string]: SavedToken }

/** Tokens by server address, in a file that only its owner may read. */
export class TokenFile {
  readonly path: string

  constructor(env: Environment) {
    this.path = join(configFolder(env), 'godwit', 'tokens.json')
  }

  /** Returns the token of a server; undefined if there is none or it has expired. */
  find(address: string, now = Date.now()): SavedToken | undefined {
    const all = this.#read()
    const name = nameOf(address)
    const kept = Object.hasOwn(all, name) ? all[name] : undefined
    return kept !== undefined && Date.parse(kept.expires_at) > now ? kept : undefined
  }

  keep(address: string, token: SavedToken): void {
    this.#write({ ...this.#read(), [nameOf(address)]: token })
  }

  forget(address: string): void {
    const { [nameOf(address)]: gone, ...others } = this.#read()
    if (gone === undefined) return
    if (Object.keys(others).length > 0) this.#write(others)
    else rmSync(this.path, { force: true })
  }

  #read(): SavedTokens {
    let text: string
    try {
      text = readFileSync(this.path, 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
      throw new UsageError(`${this.path} cannot be read: ${(error as Error).message}`)
    }
    try {
      const all = JSON.parse(text) as unknown
      if (typeof all === 'object' && all !== null && Object.values(all).every(isSavedTokens)) return all as SavedTokens
    } catch {}
    throw new UsageError(
      `${this.path}: expected what \`godwit login\` wrote, got something else. Remove the file and log in again.`,
    )
  }

  /** Writes a new file and renames it, so that a reader sees either the old or the new content. */
  #write(all: SavedTokens): void {
    mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 })
    const next = `${this.path}.${process.pid}`
    rmSync(next, { force: true })
    writeFileSync(next, `${JSON.stringify(all, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
    // The process's umask may remove bits from the mode of a new file, so it is set explicitly.
    chmodSync(next, 0o600)
    renameSync(next, this.path)
  }
}

const isSavedTokens = (value: unknown): boolean => {
  const { token, id, login, expires_at } = (value ?? {}) as Partial<Record<keyof SavedToken, unknown>>
  return [token, id, login, expires_at].every(part => typeof part === 'string')
}

/** Returns the canonical form of an address. */
const nameOf = (address: string): string => {
  const { origin, pathname } = new URL(address)
  return origin + pathname.replace(/\/+$/, '')
}

function configFolder({ XDG_CONFIG_HOME, APPDATA, HOME, USERPROFILE }: Environment): string {
  if (XDG_CONFIG_HOME) return XDG_CONFIG_HOME
  if (process.platform === 'win32' && APPDATA) return APPDATA
  const home = HOME || USERPROFILE
  if (home) return join(home, '.config')
  throw new UsageError('There is no folder for tokens: set HOME or XDG_CONFIG_HOME, or use GODWIT_TOKEN.')
}
