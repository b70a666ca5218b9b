import type { Changes } from '../../collections.js'
import type { Scene } from '../suite.js'
import type { Question } from './questions.js'

/** What a history needs to know of a store's earlier answers. */
export class Memory {
  /** Of the collection's last opening, so that late writers name an old one. */
  epoch = ''
  /** The last page of changes, and the head when its pass from zero began. */
  page: Changes | undefined
  start = 0
  /** Of the last start, by key. */
  readonly fences = new Map<string, number>()
  readonly clients = new Map<string, { highest: number; acknowledged: number; numbers: Map<string, number> }>()

  client(name: string) {
    const known = this.clients.get(name) ?? { highest: 0, acknowledged: 0, numbers: new Map() }
    this.clients.set(name, known)
    return known
  }
}

export type Asked<Kind extends Question['ask']> = Extract<Question, { readonly ask: Kind }>

/** How one kind of question is put to a store. */
export type Verbs<Kinds extends Question['ask']> = {
  readonly [Kind in Kinds]: (scene: Scene, memory: Memory, question: Asked<Kind>) => Promise<unknown>
}
