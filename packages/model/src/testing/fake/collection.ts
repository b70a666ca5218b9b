import { type Attributes, Checksum, type ObjectMap } from '@godwit/protocol'
import { same } from '../../definition/attribute-values.js'
import { type FakeJournal, newJournal } from './fake-journal.js'

interface Row {
  readonly version: number
  readonly attributes: Attributes | null
}

/** The server's data of one source: rows including tombstones, and a journal per client. */
export class FakeCollection {
  readonly epoch: string
  /** A random mark per version, which differs after a backup was restored and written to. */
  readonly marks: Map<number, string>
  readonly rows: Map<string, Row>
  readonly journals: Map<string, FakeJournal>
  head: number
  readonly #id: (prefix: string) => string

  constructor(id: (prefix: string) => string, from: Partial<FakeCollection> = {}) {
    this.#id = id
    this.epoch = from.epoch ?? id('e')
    this.head = from.head ?? 0
    this.marks = new Map(from.marks)
    this.rows = new Map(from.rows)
    this.journals = structuredClone(from.journals ?? new Map())
  }

  /** Returns a copy with the same epoch and journals. */
  copy(): FakeCollection {
    return new FakeCollection(this.#id, this)
  }

  /** Writes a batch with one version. `null` removes an object; unchanged objects keep their version. */
  write(objects: { readonly [id: string]: Attributes | null }): void {
    const changed = Object.entries(objects).filter(([id, attributes]) => !this.#has(id, attributes))
    if (changed.length === 0) return
    this.head++
    this.marks.set(this.head, this.#id('m'))
    for (const [id, attributes] of changed) this.rows.set(id, { version: this.head, attributes })
  }

  #has(id: string, attributes: Attributes | null): boolean {
    const present = this.attributesOf(id)
    return present && attributes ? same(present, attributes) : present === attributes
  }

  /** Returns the attributes of an object; null if it does not exist or was removed. */
  attributesOf(id: string): Attributes | null {
    return this.rows.get(id)?.attributes ?? null
  }

  /** Returns the version of an object or its tombstone; the head if it never existed. */
  versionOf(id: string): number {
    return this.rows.get(id)?.version ?? this.head
  }

  live(): ObjectMap {
    const rows = [...this.rows].flatMap(([id, { attributes }]) => (attributes ? [[id, attributes] as const] : []))
    return Object.fromEntries(rows)
  }

  journalOf(client: string): FakeJournal {
    const journal = this.journals.get(client) ?? newJournal()
    this.journals.set(client, journal)
    return journal
  }
}

export function checksumOf({ rows }: Pick<FakeCollection, 'rows'>): string {
  const sum = new Checksum()
  for (const [id, { version, attributes }] of rows) if (attributes) sum.add(id, version)
  return sum.toString()
}
