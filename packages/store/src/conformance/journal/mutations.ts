import type { Mutation, Outcome } from '@godwit/protocol'
import type {
  Acceptance,
  Acceptances,
  JournalEntry,
  SettledMutation,
  Settlement,
  StartedMutation,
} from '../../journal.js'
import { headOf, type Scene, sure } from '../suite.js'

export const CLIENT = 'client: 1'

type Content = Partial<Mutation> & { readonly number: number }

/** A mutation with a default key made of its number. */
export const create = (object: string, content: Content): Mutation => ({
  key: `key-of-mutation-${content.number}`,
  operation: 'create',
  object,
  attributes: { name: object },
  ...content,
})

export const update = (object: string, content: Content): Mutation => ({
  key: `key-of-mutation-${content.number}`,
  operation: 'update',
  object,
  attributes: { name: 'changed' },
  ...content,
})

export const remove = (object: string, content: Content): Mutation => ({
  key: `key-of-mutation-${content.number}`,
  operation: 'delete',
  object,
  ...content,
})

/** Pushes mutations of a client to an idempotent source. */
export async function push(
  scene: Scene,
  mutations: readonly Mutation[],
  more: Partial<Acceptance> = {},
): Promise<Acceptances> {
  const { epoch } = await scene.store.collections.open(scene.collection)
  const acceptance = { client: CLIENT, user: 'ada', epoch, acknowledged: 0, mutations, idempotent: true, ...more }
  return scene.store.journal.accept(scene.collection, acceptance)
}

/** Returns the keys of a push that must be accepted. */
export async function acceptedKeys(
  scene: Scene,
  mutations: readonly Mutation[],
  more: Partial<Acceptance> = {},
): Promise<readonly JournalEntry[]> {
  const answer = await push(scene, mutations, more)
  return sure('entries' in answer ? answer.entries : undefined)
}

export const tryStart = ({ store, collection }: Scene, key: string, milliseconds = 1000) =>
  store.journal.start(collection, key, { milliseconds, durable: true })

/** A start that must succeed. */
export async function start(scene: Scene, key: string, milliseconds?: number): Promise<StartedMutation> {
  const started = await tryStart(scene, key, milliseconds)
  return sure('refused' in started ? undefined : started)
}

export async function trySettle(scene: Scene, key: string, result: Partial<Settlement>) {
  const { epoch } = await headOf(scene)
  return scene.store.journal.settle(scene.collection, key, { epoch, status: 'applied', ...result })
}

/** A settlement that must succeed. */
export async function settle(scene: Scene, key: string, result: Partial<Settlement>): Promise<SettledMutation> {
  const settled = await trySettle(scene, key, result)
  return sure('refused' in settled ? undefined : settled)
}

/** Starts and settles as the source of a server does that has done what it was asked for. */
export async function run(scene: Scene, key: string, result: Partial<Settlement> = {}): Promise<SettledMutation> {
  const { fence } = await start(scene, key)
  return settle(scene, key, { fence, ...result })
}

export async function entryOf({ store, collection }: Scene, key: string): Promise<JournalEntry> {
  const [entry] = await store.journal.entries(collection, [key])
  return sure(entry)
}

export const outcomes = async ({ store, collection }: Scene, client = CLIENT, after = 0): Promise<readonly Outcome[]> =>
  (await store.journal.outcomes(collection, client, { after, limit: 1000 })).outcomes

export const statuses = async (scene: Scene, client = CLIENT) =>
  (await outcomes(scene, client)).map(({ outcome, number, status }) => [outcome, number, status])

export const merge = ({ store, collection }: Scene, objects: Record<string, Record<string, string | number | null>>) =>
  store.collections.apply(collection, { merge: objects })

export const get = ({ store, collection }: Scene, ...ids: string[]) => store.collections.get(collection, ids)
