import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Named secret texts that must not leak into logs, files or responses. */
export class Canaries {
  readonly #texts = new Map<string, string>()

  /** Creates a unique text. */
  make(name: string): string {
    return this.watch(name, `canary-${name}-${randomBytes(9).toString('base64url')}`)
  }

  /** Adds an existing text, such as a token. */
  watch(name: string, text: string): string {
    this.#texts.set(name, text)
    return text
  }

  get all(): readonly string[] {
    return [...this.#texts.values()]
  }

  /** Returns the names of the secrets that a text or buffer contains. */
  foundIn(text: string | Buffer): readonly string[] {
    return [...this.#texts].filter(([, canary]) => text.includes(canary)).map(([name]) => name)
  }

  /** Returns `file: name` for each secret in the folder's files, recursively. */
  foundInFiles(folder: string): readonly string[] {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
    return files.flatMap(({ name, parentPath }) =>
      this.foundIn(readFileSync(join(parentPath, name))).map(canary => `${name}: ${canary}`),
    )
  }
}
