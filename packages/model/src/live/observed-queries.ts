import type { ObjectId } from '@godwit/protocol'
import { Callbacks } from './callbacks.js'
import { Trace } from './trace.js'
import type { RowWatch, TransactionListener } from './write-listeners.js'

/** A query that runs again whenever its result may have changed. */
export interface Observer {
  readonly model: string
  /** Returns true if the object's current row matches the condition. May throw if the condition cannot be evaluated. */
  matches(object: ObjectId): boolean
  /** Returns true if the condition compares with one of these ids of a model. */
  names(owner: string, ids: ReadonlySet<ObjectId>): boolean
  /** Runs the query and calls back if the result changed. Never throws. */
  refresh(): void
}

interface ObservedQuery {
  readonly observer: Observer
  /** Objects whose rows the open transaction has written. */
  readonly touched: Set<ObjectId>
  /** True if one of them matched before it was written. */
  stale: boolean
  /** True if a committed transaction affects the query and it has not run since. */
  due: boolean
}

/**
 * Finds the queries that a transaction affects: those that match a written object before or after the write. Without observers, a write costs one
 * lookup.
 */
export class ObservedQueries implements TransactionListener {
  readonly callbacks = new Callbacks()
  readonly trace = new Trace()
  readonly #watched = new Map<string, Set<ObservedQuery>>()
  #isRefreshing = false
  readonly #waiting = new Set<() => void>()
  /** Schedules a callback; the returned function cancels it. */
  timer: (run: () => void, milliseconds: number) => () => void = () => () => {}
  /** Called when a query fails. */
  failed: (model: string, error: unknown) => void = () => {}

  /** Adds an observer. The returned function removes it. */
  observe(observer: Observer): () => void {
    const one: ObservedQuery = { observer, touched: new Set(), stale: false, due: false }
    const ofModel = this.#watched.get(observer.model) ?? new Set()
    this.#watched.set(observer.model, ofModel.add(one))
    return () => {
      ofModel.delete(one)
      if (ofModel.size === 0 && this.#watched.get(observer.model) === ofModel) this.#watched.delete(observer.model)
    }
  }

  /** Returns the interface to which code that writes rows of a model reports. */
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

  /** Call it before a row is written. */
  touch(model: string, object: ObjectId): void {
    const watched = this.#watched.get(model)
    if (!watched) return
    for (const one of watched) {
      if (one.stale || one.touched.has(object)) continue
      one.touched.add(object)
      one.stale = mayMatch(one.observer, object)
    }
  }

  /** Call it when all rows of a model are written, or its table is replaced. */
  touchAll(model: string): void {
    for (const one of this.#watched.get(model) ?? []) one.stale = true
  }

  /** Call it when these ids of a model become ids of the same object. */
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

  /** Runs affected queries, once per transaction. Changes made by callbacks are reported afterwards. */
  committed(): void {
    this.trace.committed()
    if (this.#watched.size === 0) return
    for (const one of this.#all()) judge(one)
    if (this.#isRefreshing) return
    this.#isRefreshing = true
    try {
      for (let due = this.#takeDue(); due.length > 0; due = this.#takeDue())
        for (const one of due) this.callbacks.run(() => one.refresh())
    } finally {
      this.#isRefreshing = false
    }
  }

  /** Schedules a query; the returned function cancels it. */
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
    // A query that observes several models has several observers with the same function.
    return [...new Map(due.map(({ observer }) => [observer.refresh, observer])).values()]
  }

  #all(): readonly ObservedQuery[] {
    return [...this.#watched.values()].flatMap(ofModel => [...ofModel])
  }
}

/** Marks an affected query as due. Runs at each commit, also within callbacks, because a later transaction there may be rolled back. */
function judge(one: ObservedQuery): void {
  one.due ||= one.stale || [...one.touched].some(object => mayMatch(one.observer, object))
  clean(one)
}

/** Returns true if a query may match an object. A condition that cannot be evaluated counts as a match: running the query then reports the error. */
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
