import type { CollectionId } from '@godwit/store'
import type { World } from '../world/world.js'

/** A source that is not polled is asked for once: what a collection held before is not there any more. */
export async function askAnew({ servers, observations }: World, collection: CollectionId): Promise<void> {
  await servers.retrying.collections.open(collection)
  await servers.retrying.collections.ask(collection)
  await observations.read(servers.retrying, collection)
}

/** An operator looks at what is in doubt: what the backend did not do is put back in line, the rest is given up. */
export async function decideDoubts(world: World, share: number): Promise<void> {
  const { journal } = world.servers.retrying
  for (const { collection, mutation } of await journal.undecided({ state: 'in_doubt', limit: 1000 })) {
    if (!world.dice.chance(share)) continue
    const wasDone = world.backend(collection.source).effects.some(({ key }) => key === mutation.key)
    world.operated.add(mutation.key)
    const { epoch = '' } = (await world.servers.retrying.collections.head(collection)) ?? {}
    const { isOfTeams } = world.backend(collection.source).plan
    const isElsewhere = isOfTeams === true && (await standsElsewhere(world, collection, mutation.key))
    if (!wasDone && world.dice.chance(0.5) && !isElsewhere) await journal.retry(collection, mutation.key)
    else {
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

/** Of a user who changed teams, one change may stand in the journals of both: what one of them may still do is not repeated by the other. */
async function standsElsewhere({ servers, observations }: World, here: CollectionId, key: string): Promise<boolean> {
  for (const { collection } of observations.all()) {
    if (collection.source !== here.source || collection.partition === here.partition) continue
    const [entry] = await servers.retrying.journal.entries(collection, [key])
    if (entry && entry.state !== 'decided') return true
  }
  return false
}
