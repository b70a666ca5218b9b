import type { CollectionId } from '@godwit/store'
import type { SimulatedWorld } from '../world/world.js'
import { retryByApi } from './decide-by-api.js'

/** Requests a query of a collection that lost its content, since its source may not be polled. */
export async function requestQuery({ servers, observations }: SimulatedWorld, collection: CollectionId): Promise<void> {
  await servers.retrying.collections.open(collection)
  await servers.retrying.collections.requestQuery(collection)
  await observations.read(servers.retrying, collection)
}

/** Decides a share of the mutations in doubt as an operator: those the backend did not perform may be retried, others are settled as refused. */
export async function decideDoubts(world: SimulatedWorld, share: number): Promise<void> {
  const { journal } = world.servers.retrying
  for (const { collection, mutation } of await journal.undecided({ state: 'in_doubt', limit: 1000 })) {
    if (!world.dice.chance(share)) continue
    const wasDone = world.backend(collection.source).effects.some(({ key }) => key === mutation.key)
    world.operated.add(mutation.key)
    const { epoch = '' } = (await world.servers.retrying.collections.head(collection)) ?? {}
    const { isOfTeams } = world.backend(collection.source).plan
    const isElsewhere = isOfTeams === true && (await hasEntryElsewhere(world, collection, mutation.key))
    if (!wasDone && world.dice.chance(0.5)) {
      if (isElsewhere) world.start(() => retryByApi(world, collection, mutation.key))
      else await journal.retry(collection, mutation.key)
    } else {
      const error = { code: 'refused', message: 'An operator gave it up.' }
      const settlement = { epoch, status: 'refused', error, ask: true } as const
      const result = await journal.settle(collection, mutation.key, settlement)
      await world.observations.observe(
        world.servers.retrying,
        'journal.settle',
        [collection, mutation.key, settlement],
        result,
      )
    }
    world.note(`    the operator decides about ${mutation.key}`)
  }
}

/** True if another partition's journal has the same undecided change, as after a change of teams; then only the server decides on a retry. */
async function hasEntryElsewhere(
  { servers, observations }: SimulatedWorld,
  here: CollectionId,
  key: string,
): Promise<boolean> {
  for (const { collection } of observations.all()) {
    if (collection.source !== here.source || collection.partition === here.partition) continue
    const [entry] = await servers.retrying.journal.entries(collection, [key])
    if (entry && entry.state !== 'decided') return true
  }
  return false
}
