import type { Attributes } from '@godwit/protocol'
import { type ChangesPart, cursorGone, type Feed, type FeedBatch, type SourceContext } from '@godwit/server'
import type { SourcePlan } from '../world/plan.js'
import type { BackendEnvironment } from './backend-environment.js'
import type { BackendLog, LoggedObject } from './backend-log.js'
import { type BackendObjects, withNulls } from './backend-objects.js'

interface ReadParts {
  readonly plan: SourcePlan
  readonly environment: BackendEnvironment
  readonly objects: BackendObjects
  readonly log: BackendLog
}

type Objects = { readonly [id: string]: Attributes }

/** Milliseconds after which a database ends a connection that hangs. */
const HANGS = 60_000
/** Changes in one part or batch at most. */
const MOST = 4

/** How a backend tells what changed: single objects, the changes of a partition, or a feed for all of them. */
export class BackendReads {
  readonly #plan: SourcePlan
  readonly #environment: BackendEnvironment
  readonly #objects: BackendObjects
  readonly #log: BackendLog

  constructor({ plan, environment, objects, log }: ReadParts) {
    this.#plan = plan
    this.#environment = environment
    this.#objects = objects
    this.#log = log
  }

  async get(ids: readonly string[], { partition }: SourceContext): Promise<Objects> {
    const { delay } = this.#environment
    await delay(`the get of ${this.#plan.name} reaches the backend`)
    const outcome = this.#environment.queryOutcome(0)
    const found = this.#present(partition, ids)
    await delay(`the get of ${this.#plan.name} is answered (${outcome})`)
    if (outcome === 'hangs') return new Promise(() => {})
    if (outcome === 'nonsense') return 'a page of HTML' as never
    if (outcome !== 'works') throw new Error('the backend is out of order')
    return found
  }

  async *changes({
    partition,
    cursor,
  }: SourceContext & { readonly cursor: string | null }): AsyncGenerator<ChangesPart<Attributes>> {
    const { delay, below } = this.#environment
    const { name } = this.#plan
    await delay(`the changes of ${name} are requested`)
    const outcome = this.#environment.queryOutcome(0)
    if (outcome === 'fails') throw new Error('the backend is out of order')
    if (cursor === null) {
      // From before the first row.
      const begun = this.#log.cursorAt(this.#log.end)
      const ids = [...this.#objects.of(partition).keys()]
      do {
        const part = ids.splice(0, 1 + below(MOST))
        yield { objects: this.#present(partition, part), cursor: begun }
        await delay(`the changes of ${name} go on`)
        await this.#fail(outcome)
      } while (ids.length > 0)
      return
    }
    for (let at = this.#known(cursor); at < this.#log.end; ) {
      const some = this.#log.after(at).slice(0, 1 + below(MOST))
      at += some.length
      const part = this.#partOf(partition, some)
      const next = this.#log.cursorAt(at)
      await delay(`a part of the changes of ${name} is on its way`)
      if (outcome === 'nonsense') yield { objects: [] as never, cursor: next }
      yield { ...part, cursor: next }
      await this.#fail(outcome)
      // A restore meanwhile.
      if (this.#log.positionOf(next) === undefined) throw cursorGone()
    }
  }

  feed(): Feed {
    return { open: ({ cursor, signal }) => this.#batches(cursor, signal) }
  }

  async *#batches(cursor: string | null, signal: AbortSignal): AsyncGenerator<FeedBatch> {
    const { delay, below, now } = this.#environment
    const { name } = this.#plan
    await delay(`the feed of ${name} is opened`)
    let at = cursor === null ? this.#log.end : this.#known(cursor)
    let reached = this.#log.cursorAt(at)
    if (cursor === null) yield { cursor: reached, heartbeat: true }
    while (!signal.aborted) {
      if (this.#log.positionOf(reached) === undefined) throw cursorGone('the database was restored')
      if (at >= this.#log.end) {
        await this.#log.changed(signal)
        continue
      }
      await delay(`the feed of ${name} looks`)
      if (this.#log.positionOf(reached) === undefined) continue
      const outcome = this.#environment.queryOutcome(0)
      if (outcome === 'fails') throw new Error('the connection was terminated')
      // At least once: what was told may be told again.
      const from = Math.max(0, at - (below(5) === 0 ? below(3) : 0))
      const some = this.#log.after(from).slice(0, at - from + 1 + below(MOST))
      at = from + some.length
      reached = this.#log.cursorAt(at)
      const readAt = now()
      const changes = some.map(({ partition, id }) => ({
        ...(partition === '*' ? {} : { user: partition }),
        id,
        attributes: this.#present(partition, [id])[id] ?? null,
      }))
      await delay(`a batch of the feed of ${name} is on its way`)
      if (outcome === 'nonsense') yield { cursor: reached, changes: 'a page of HTML' as never }
      yield { cursor: reached, changes, readAt, heartbeat: true }
      await this.#fail(outcome)
    }
  }

  #known(cursor: string): number {
    const position = this.#log.positionOf(cursor)
    if (position === undefined) throw cursorGone('the database was restored')
    return position
  }

  #partOf(partition: string, some: readonly LoggedObject[]): ChangesPart<Attributes> {
    const ids = [...new Set(some.flatMap(one => (one.partition === partition ? [one.id] : [])))]
    const objects = this.#present(partition, ids)
    return { objects, removed: ids.filter(id => objects[id] === undefined) }
  }

  #present(partition: string, ids: readonly string[]): Objects {
    const all = this.#objects.of(partition)
    return Object.fromEntries(
      ids.flatMap(id => {
        const found = all.get(id)
        return found === undefined ? [] : [[id, withNulls(id, found)]]
      }),
    )
  }

  async #fail(outcome: string): Promise<void> {
    if (outcome === 'hangs') await new Promise(resolve => setTimeout(resolve, HANGS))
    if (outcome === 'hangs' || outcome === 'breaksOff') throw new Error('the backend broke off')
  }
}
