import type { Mutation } from '@godwit/protocol'
import type { Memory, Verbs } from './memory.js'

export const journalVerbs: Verbs<
  'accept' | 'start' | 'settle' | 'release' | 'retry' | 'outcomes' | 'acknowledge' | 'dropClient' | 'journal'
> = {
  accept: async ({ store, collection }, memory, { client, mutations, inLine, idempotent, contentless }) => {
    memory.epoch = (await store.collections.open(collection)).epoch
    const sent = inLine ? numbered(memory, client, mutations) : mutations
    const { acknowledged } = memory.client(client)
    const push = { client, user: 'ada', epoch: memory.epoch, acknowledged, mutations: sent, idempotent, contentless }
    const answer = await store.journal.accept(collection, push)
    if ('entries' in answer) learn(memory, client, sent)
    return answer
  },
  start: async ({ store, collection }, memory, { key }) => {
    const answer = await store.journal.start(collection, key, { milliseconds: 100, durable: true })
    if ('fence' in answer) memory.fences.set(key, answer.fence)
    return answer
  },
  settle: ({ store, collection }, { epoch, fences }, { key, called, status, write, link, wanted }) =>
    store.journal.settle(collection, key, {
      epoch,
      status,
      ...(called && { fence: fences.get(key) ?? 0 }),
      ...(write && { write }),
      ...(link !== undefined && { link }),
      ask: wanted,
    }),
  release: ({ store, collection, clock }, { fences }, { key, to, retryIn }) => {
    const retryAt = retryIn === undefined ? undefined : clock.now + retryIn * 100
    return store.journal.release(collection, key, { fence: fences.get(key) ?? 0, to, retryAt })
  },
  retry: ({ store, collection }, _memory, { key }) => store.journal.retry(collection, key),
  outcomes: ({ store, collection }, _memory, { client, after, limit }) =>
    store.journal.outcomes(collection, client, { after, limit }),
  acknowledge: async ({ store, collection }, memory, { client, through }) => {
    const given = await store.journal.outcomes(collection, client, { after: 0, limit: 1000 })
    const known = memory.client(client)
    if (through <= (given.at(-1)?.outcome ?? 0)) known.acknowledged = Math.max(known.acknowledged, through)
    await store.journal.acknowledge(collection, client, through)
    return given
  },
  dropClient: async ({ store, collection }, memory, { client }) => {
    memory.clients.delete(client)
    await store.journal.dropClient(collection, client)
  },
  journal: async ({ store, collection }) => ({
    queued: await store.journal.queued(collection, { limit: 3 }),
    started: await store.journal.undecided({ state: 'started', limit: 3 }),
    inDoubt: await store.journal.undecided({ state: 'in_doubt', limit: 3 }),
    entries: await store.journal.entries(collection, ['key-0123456789-a', '__proto__', 'unknown']),
  }),
}

function numbered(memory: Memory, client: string, mutations: readonly Mutation[]): readonly Mutation[] {
  const { highest, numbers } = memory.client(client)
  let next = highest
  return mutations.map(mutation => ({ ...mutation, number: numbers.get(mutation.key) ?? ++next }))
}

function learn(memory: Memory, client: string, mutations: readonly Mutation[]): void {
  const known = memory.client(client)
  for (const { key, number } of mutations) {
    known.numbers.set(key, number)
    known.highest = Math.max(known.highest, number)
  }
}
