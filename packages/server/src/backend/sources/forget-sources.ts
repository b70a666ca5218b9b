import type { CollectionId } from '@godwit/store'
import type { BackendEngine } from '../backend-engine.js'

const DAY = 24 * 3600_000
const PAGE = 200
const UNDECIDED = ['queued', 'started', 'in_doubt'] as const

type ForgetSourcesEngine = Pick<BackendEngine, 'store' | 'sources' | 'clock' | 'stopping'>

/**
 * Forgets dynamic sources, at least a day old, that have neither objects nor settings, so that junk names make room. One that is used again is
 * created again.
 */
export async function forgetSources(engine: ForgetSourcesEngine): Promise<void> {
  const { sources, clock, stopping } = engine
  for (const [name, learntAt] of await sources.learnt()) {
    if (stopping.aborted) return
    const age = clock() - learntAt
    // A time in the future is from before the clock was set back.
    if (age >= 0 && age < DAY) continue
    if (await isEmpty(engine, name)) await sources.forget(name)
  }
}

async function isEmpty(engine: ForgetSourcesEngine, source: string): Promise<boolean> {
  const { collections } = engine.store
  for (let after: CollectionId | undefined; ; ) {
    const page = await collections.collections({ source, after, limit: PAGE })
    for (const collection of page) if (await holdsSomething(engine, collection)) return false
    after = page.at(-1)
    if (page.length < PAGE) return true
  }
}

/** False for a collection without versions and undecided mutations, which is like one that does not exist. */
async function holdsSomething({ store }: ForgetSourcesEngine, collection: CollectionId): Promise<boolean> {
  const head = await store.collections.head(collection)
  if (head !== undefined && head.version > 0) return true
  for (const state of UNDECIDED) {
    const [next] = await store.journal.undecided({ state, after: { collection, sequence: 0 }, limit: 1 })
    if (next?.collection.source === collection.source && next.collection.partition === collection.partition) return true
  }
  return false
}
