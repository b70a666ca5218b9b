import type { Changes } from '../../collections.js'
import type { Scene } from '../suite.js'
import type { Question } from './questions.js'

/** The earlier answers of a store that later questions depend on. */
export class AnswerMemory {
  /** The epoch of the last `open`, which late writers use. */
  epoch = ''
  /** The last page of changes, and the head's version at the start of its pass from zero. */
  page: Changes | undefined
  start = 0
  /** Accepted keys with their last known states. */
  readonly states = new Map<string, string>()
  /** Fences of the last starts, by key. */
  readonly fences = new Map<string, number>()
  readonly #dropped = new Map<string, number>()
  readonly clients = new Map<string, { highest: number; acknowledged: number; numbers: Map<string, number> }>()

  /** Returns a key with this last known state, or sometimes any key. */
  key(which: number, wanted: string): string {
    const keys = [...this.states].filter(([, state]) => state === wanted || which % 7 === 0).map(([key]) => key)
    return keys[which % Math.max(1, keys.length)] ?? 'a key that is not known'
  }

  /** Returns the id of a client, which changes when it is dropped. */
  idOf(name: string): string {
    return `${name} ${this.#dropped.get(name) ?? 0}`
  }

  drop(name: string): void {
    this.#dropped.set(name, (this.#dropped.get(name) ?? 0) + 1)
  }

  client(name: string) {
    const known = this.clients.get(name) ?? { highest: 0, acknowledged: 0, numbers: new Map() }
    this.clients.set(name, known)
    return known
  }
}

export type QuestionContext<Kind extends Question['ask']> = Extract<Question, { readonly ask: Kind }>

/** Functions that put one kind of question to a store. */
export type Verbs<Kinds extends Question['ask']> = {
  readonly [Kind in Kinds]: (scene: Scene, memory: AnswerMemory, question: QuestionContext<Kind>) => Promise<unknown>
}
