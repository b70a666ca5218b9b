import type { Mutation } from '@godwit/protocol'
import type { JournalEntry } from '../../journal.js'
import type { AnswerMemory, Verbs } from './memory.js'

export const journalVerbs: Verbs<
  'accept' | 'start' | 'settle' | 'release' | 'retry' | 'outcomes' | 'page' | 'acknowledge' | 'dropClient' | 'journal'
> = {
  accept: async ({ store, collection }, memory, { client: name, mutations, inLine, idempotent, contentless }) => {
    const client = memory.idOf(name)
    memory.epoch = (await store.collections.open(collection)).epoch
    const sent = inLine ? numbered(memory, client, mutations) : mutations
    const { acknowledged } = memory.client(client)
    const push = { client, user: 'ada', epoch: memory.epoch, acknowledged, mutations: sent, idempotent, contentless }
    const answer = await store.journal.accept(collection, push)
    if ('entries' in answer) learn(memory, client, answer.entries)
    return answer
  },
  start: async ({ store, collection }, memory, { which }) => {
    const key = memory.key(which, 'queued')
    const answer = await store.journal.start(collection, key, { milliseconds: 100, durable: true })
    if (!('fence' in answer)) return answer
    memory.fences.set(key, answer.fence)
    memory.states.set(key, 'started')
    return answer
  },
  settle: async ({ store, collection }, memory, { which, called, status, write, link, wanted }) => {
    const key = memory.key(which, called ? 'started' : 'queued')
    const answer = await store.journal.settle(collection, key, {
      epoch: memory.epoch,
      status,
      ...(called && { fence: memory.fences.get(key) ?? 0 }),
      ...(write && { write }),
      ...(link !== undefined && { link }),
      ask: wanted,
    })
    if ('outcome' in answer) memory.states.set(key, 'decided')
    return answer
  },
  release: async ({ store, collection }, memory, { which, to, retryIn: tenths }) => {
    const key = memory.key(which, 'started')
    const retryIn = tenths === undefined ? undefined : tenths * 100
    const answer = await store.journal.release(collection, key, { fence: memory.fences.get(key) ?? 0, to, retryIn })
    if ('released' in answer) memory.states.set(key, to)
    return answer
  },
  retry: async ({ store, collection }, memory, { which }) => {
    const key = memory.key(which, 'in_doubt')
    const answer = await store.journal.retry(collection, key)
    if (answer === 'released') memory.states.set(key, 'queued')
    return answer
  },
  outcomes: ({ store, collection }, memory, { client, after, limit }) =>
    store.journal.outcomes(collection, memory.idOf(client), { after, limit }),
  page: ({ store, collection }, memory, { client, after, limit }) =>
    store.collections.page(collection, { limit, client: memory.idOf(client), outcomes: { after, limit } }),
  acknowledge: async ({ store, collection }, memory, { client: name, through }) => {
    const client = memory.idOf(name)
    const { outcomes: given } = await store.journal.outcomes(collection, client, { after: 0, limit: 1000 })
    const known = memory.client(client)
    if (through <= (given.at(-1)?.outcome ?? 0)) known.acknowledged = Math.max(known.acknowledged, through)
    await store.journal.acknowledge(collection, client, through)
    return given
  },
  dropClient: async ({ store, collection }, memory, { client }) => {
    await store.journal.dropClient(collection, memory.idOf(client))
    memory.drop(client)
  },
  journal: async ({ store, collection }) => ({
    queued: await store.journal.queued(collection, { limit: 3 }),
    started: await store.journal.undecided({ state: 'started', limit: 3 }),
    inDoubt: await store.journal.undecided({ state: 'in_doubt', limit: 3 }),
    entries: await store.journal.entries(collection, ['key-0123456789-a', '__proto__', 'unknown']),
  }),
}

function numbered(memory: AnswerMemory, client: string, mutations: readonly Mutation[]): readonly Mutation[] {
  const { highest, numbers } = memory.client(client)
  let next = highest
  return mutations.map(mutation => ({ ...mutation, number: numbers.get(mutation.key) ?? ++next }))
}

function learn(memory: AnswerMemory, client: string, entries: readonly JournalEntry[]): void {
  const known = memory.client(client)
  for (const { mutation, state } of entries) {
    memory.states.set(mutation.key, state)
    known.numbers.set(mutation.key, mutation.number)
    known.highest = Math.max(known.highest, mutation.number)
  }
}
