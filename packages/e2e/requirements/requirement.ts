/** Held: a test shows it. Planned: none does yet. */
export type State = 'planned' | 'held'

export interface Requirement {
  /** What tests hand to `verifies`. Stable: a sentence may be sharpened, its id stays. */
  readonly id: string
  /** One plain sentence, precise enough to be tested. */
  readonly says: string
  readonly state: State
}

export interface Section {
  /** What the ids of the section begin with; document and file follow from it. */
  readonly prefix: string
  readonly requirements: readonly Requirement[]
}

export interface Document {
  /** The folder of its sections. */
  readonly name: string
  readonly sections: readonly Section[]
}

export function requirements(prefix: string, entries: Readonly<Record<string, Omit<Requirement, 'id'>>>): Section {
  return { prefix, requirements: Object.entries(entries).map(([key, entry]) => ({ id: `${prefix}.${key}`, ...entry })) }
}
