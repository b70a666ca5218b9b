import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Texts that must not turn up where they do not belong, by what they are. */
export class Canaries {
  readonly #texts = new Map<string, string>()

  /** A new one, unlike any other text. */
  make(name: string): string {
    return this.watch(name, `canary-${name}-${randomBytes(9).toString('base64url')}`)
  }

  /** One that somebody else made, such as a token. */
  watch(name: string, text: string): string {
    this.#texts.set(name, text)
    return text
  }

  get all(): readonly string[] {
    return [...this.#texts.values()]
  }

  /** The names of those that stand in a text or in bytes. */
  foundIn(text: string | Buffer): readonly string[] {
    return [...this.#texts].filter(([, canary]) => text.includes(canary)).map(([name]) => name)
  }

  /** `file: name` for each that stands in a file of the folder, or below it. */
  foundInFiles(folder: string): readonly string[] {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
    return files.flatMap(({ name, parentPath }) =>
      this.foundIn(readFileSync(join(parentPath, name))).map(canary => `${name}: ${canary}`),
    )
  }
}
