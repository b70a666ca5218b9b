import type { ReadPosition } from '../../collections.js'
import { beginQuery } from '../query.js'
import type { AnswerMemory, Verbs } from './memory.js'

export const collectionVerbs: Verbs<
  | 'apply'
  | 'query'
  | 'advance'
  | 'compact'
  | 'drop'
  | 'changes'
  | 'list'
  | 'look'
  | 'history'
  | 'schedule'
  | 'wait'
  | 'lease'
> = {
  apply: async ({ store, collection }, memory, { batch, guarded }) => {
    const answer = await store.collections.apply(collection, batch, guarded ? { epoch: memory.epoch } : undefined)
    if ('epoch' in answer) memory.epoch = answer.epoch
    return answer
  },
  query: async (scene, memory, { answer, meanwhile }) => {
    const query = await beginQuery(scene, { maxRemovedShare: 1 })
    memory.epoch = query.options.epoch
    const write = async () => meanwhile && scene.store.collections.apply(scene.collection, meanwhile)
    return query.end(answer, write)
  },
  advance: async ({ store, collection }, _memory, { batch: { replace, remove }, back, cursor, end, ...reader }) => {
    const { epoch = '', version = 0 } = (await store.collections.head(collection)) ?? {}
    const batch = { ...(replace && { replace }), ...(remove && { remove }) }
    const options = { epoch, since: Math.max(0, version - back), cursor, end, ...reader }
    const answer = await store.collections.advance(collection, batch, options)
    return { answer, cursor: await store.collections.cursor(collection) }
  },
  compact: ({ store, collection }, _memory, options) => store.collections.compact(collection, options),
  drop: async ({ store, collection }, memory) => {
    memory.clients.clear()
    await store.collections.drop(collection)
  },
  changes: async ({ store, collection }, memory, { goOn, limit }) => {
    const changes = await store.collections.changes(collection, { from: goOn ? after(memory) : undefined, limit })
    if (changes?.fromZero) memory.start = changes.head.version
    memory.page = changes
    return changes
  },
  list: ({ store, collection }, _memory, page) => store.collections.list(collection, page),
  look: ({ store, collection }, _memory, { id }) => store.collections.look(collection, id),
  history: ({ store, collection }, _memory, { id, limit }) => store.collections.history(collection, id, { limit }),
  schedule: async ({ store, collection }, _memory, { at, fails }) => {
    if (!fails) return store.collections.requestQuery(collection, at)
    const nextQueryBefore = (await store.collections.head(collection))?.nextQuery
    const error = { code: 'internal', message: '' }
    return store.collections.recordFailure(collection, { error, nextQuery: at, nextQueryBefore })
  },
  wait: async ({ clock }, _memory, { milliseconds }) => {
    clock.now += milliseconds
  },
  lease: async ({ store, collection }, _memory, { holder }) =>
    (await store.leases.acquire({ kind: 'query', collection }, { holder, milliseconds: 200 })) !== undefined,
}

/** The position after the last page. */
function after({ page, start }: AnswerMemory): ReadPosition | undefined {
  const last = page?.rows.at(-1)
  if (!page) return undefined
  const { epoch, version, mark } = page.head
  const read = { epoch, head: version, mark }
  if (last) return { ...read, base: 0, start, after: { version: last.version, id: last.id } }
  return { ...read, base: version, start: 0, after: { version: version + 1, id: '' } }
}
