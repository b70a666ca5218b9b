import type { Dice } from '../simulator/world/dice.js'

const MAX_NAMES = 30

/** Which member or parameter holds the same kind of name as which. */
const KIND: { readonly [name: string]: string } = {
  user_id: 'login',
  user: 'login',
  user_name: 'login',
  source_id: 'source',
  source_name: 'source',
  sources: 'source',
  client_id: 'client',
  object: 'object',
  ids: 'object',
  objects: 'object',
  doc: 'doc',
  token_id: 'id',
  mutation_id: 'id',
  after: 'after',
}

/** What the server has told of: names that mean something in later requests. */
export class KnownNames {
  readonly #names = new Map<string, string[]>()

  add(kind: string, name: string): void {
    const names = this.#names.get(kind) ?? []
    if (names.includes(name)) return
    names.push(name)
    if (names.length > MAX_NAMES) names.splice(1, 1)
    this.#names.set(kind, names)
  }

  /** A name that this member or parameter may mean; undefined: there is none. */
  any(name: string, dice: Dice): string | undefined {
    return dice.any(this.#names.get(KIND[name] ?? name) ?? [])
  }

  /** Keeps the short texts of an answer under the names of their members. */
  learn(answer: unknown, depth = 0): void {
    if (typeof answer !== 'object' || answer === null || depth > 3) return
    for (const [name, value] of Object.entries(answer)) {
      if (typeof value === 'string' && value.length < 300) this.add(KIND[name] ?? name, value)
      else this.learn(value, depth + 1)
    }
  }
}
