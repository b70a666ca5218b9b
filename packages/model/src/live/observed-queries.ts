import type { ObjectId } from '@godwit/protocol'
import type { TransactionListener } from '../database/database.js'
import type { RowWatch } from '../database/model-rows.js'
import { Callbacks } from './callbacks.js'
import { Trace } from './trace.js'

/** A question that is asked again whenever its answer may have changed. */
export interface Observer {
  readonly model: string
  /** Whether the condition holds for an object, as its row stands now. May throw where it cannot be judged. */
  matches(object: ObjectId): boolean
  /** Whether the condition compares with one of these ids of a model. */
  names(owner: string, ids: ReadonlySet<ObjectId>): boolean
  /** Asks, and tells its callback if the answer is another one. Never throws. */
  ask(): void
}

interface ObservedQuery {
  readonly observer: Observer
  /** Objects whose rows the open transaction wrote. */
  readonly touched: Set<ObjectId>
  /** One of them was in the answer before. */
  stale: boolean
  /** A transaction that was committed touches it, and it was not asked since. */
  due: boolean
}

/**
 * The observed queries that a transaction affects: those that match a written object before or after it. Without observers a write costs
 * one look-up.
 */
export class ObservedQueries implements TransactionListener {
  readonly callbacks = new Callbacks()
  readonly trace = new Trace()
  readonly #watched = new Map<string, Set<ObservedQuery>>()
  #asking = false
  readonly #waiting = new Set<() => void>()
  /** Calls back later, unless what it returns is called before. */
  timer: (run: () => void, milliseconds: number) => () => void = () => () => {}
  /** Told of a question that cannot be asked any more. */
  failed: (model: string, error: unknown) => void = () => {}

  /** From now on. Call the result to stop. */
  observe(observer: Observer): () => void {
    const one: ObservedQuery = { observer, touched: new Set(), stale: false, due: false }
    const ofModel = this.#watched.get(observer.model) ?? new Set()
    this.#watched.set(observer.model, ofModel.add(one))
    return () => {
      ofModel.delete(one)
      if (ofModel.size === 0 && this.#watched.get(observer.model) === ofModel) this.#watched.delete(observer.model)
    }
  }

  /** What writes the rows of a model tells. */
  watchOf(model: string): RowWatch {
    return {
      touch: object => {
        this.trace.wrote(model, () => 1)
        this.touch(model, object)
      },
      touchEach: objects => {
        this.trace.wrote(model, () => [...objects()].length)
        if (this.#watched.has(model)) for (const object of objects()) this.touch(model, object)
      },
      touchAll: () => this.touchAll(model),
    }
  }

  /** Before a row is written. */
  touch(model: string, object: ObjectId): void {
    const watched = this.#watched.get(model)
    if (!watched) return
    for (const one of watched) {
      if (one.stale || one.touched.has(object)) continue
      one.touched.add(object)
      one.stale = mayMatch(one.observer, object)
    }
  }

  /** All rows of a model are written, or its table is another one. */
  touchAll(model: string): void {
    for (const one of this.#watched.get(model) ?? []) one.stale = true
  }

  /** These ids of a model stand for the same object from now on. */
  linked(owner: string, ids: ReadonlySet<ObjectId>): void {
    for (const one of this.#all()) one.stale ||= one.observer.names(owner, ids)
  }

  begun(): void {
    this.trace.begun()
  }

  rolledBack(): void {
    this.trace.rolledBack()
    for (const one of this.#all()) clean(one)
  }

  /** Asks what was touched, once per transaction. What callbacks write in turn is told after them. */
  committed(): void {
    this.trace.committed()
    if (this.#watched.size === 0) return
    for (const one of this.#all()) judge(one)
    if (this.#asking) return
    this.#asking = true
    try {
      for (let due = this.#takeDue(); due.length > 0; due = this.#takeDue())
        for (const one of due) this.callbacks.run(() => one.ask())
    } finally {
      this.#asking = false
    }
  }

  /** Runs what asks again, unless what it returns is called before. */
  later(ask: () => void, milliseconds: number): () => void {
    const cancel = this.timer(() => {
      this.#waiting.delete(forget)
      this.callbacks.run(ask)
    }, milliseconds)
    const forget = (): void => {
      this.#waiting.delete(forget)
      cancel()
    }
    this.#waiting.add(forget)
    return forget
  }

  close(): void {
    for (const cancel of this.#waiting) cancel()
    this.#watched.clear()
  }

  #takeDue(): readonly Observer[] {
    const due = this.#all().filter(one => one.due)
    for (const one of due) one.due = false
    // One question may watch several models.
    return [...new Map(due.map(({ observer }) => [observer.ask, observer])).values()]
  }

  #all(): readonly ObservedQuery[] {
    return [...this.#watched.values()].flatMap(ofModel => [...ofModel])
  }
}

/** At each commit, also of what a callback writes: another transaction of that callback may be undone. */
function judge(one: ObservedQuery): void {
  one.due ||= one.stale || [...one.touched].some(object => mayMatch(one.observer, object))
  clean(one)
}

/** What cannot be judged may match: to ask harms no transaction, and tells what is wrong. */
function mayMatch(observer: Observer, object: ObjectId): boolean {
  try {
    return observer.matches(object)
  } catch {
    return true
  }
}

function clean(one: ObservedQuery): void {
  one.touched.clear()
  one.stale = false
}
