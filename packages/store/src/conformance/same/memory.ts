import type { Changes } from '../../collections.js'
import type { Scene } from '../suite.js'
import type { Question } from './questions.js'

/** What a history needs to know of a store's earlier answers. */
export class AnswerMemory {
  /** Of the collection's last opening, so that late writers name an old one. */
  epoch = ''
  /** The last page of changes, and the head when its pass from zero began. */
  page: Changes | undefined
  start = 0
  /** Keys that were accepted, and the states that were heard of last. */
  readonly states = new Map<string, string>()
  /** Of the last start, by key. */
  readonly fences = new Map<string, number>()
  readonly #dropped = new Map<string, number>()
  readonly clients = new Map<string, { highest: number; acknowledged: number; numbers: Map<string, number> }>()

  /** A key in this state as far as is known; now and then any. */
  key(which: number, wanted: string): string {
    const keys = [...this.states].filter(([, state]) => state === wanted || which % 7 === 0).map(([key]) => key)
    return keys[which % Math.max(1, keys.length)] ?? 'a key that is not known'
  }

  /** The id of a client; a dropped one's never comes back. */
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

/** How one kind of question is put to a store. */
export type Verbs<Kinds extends Question['ask']> = {
  readonly [Kind in Kinds]: (scene: Scene, memory: AnswerMemory, question: QuestionContext<Kind>) => Promise<unknown>
}
