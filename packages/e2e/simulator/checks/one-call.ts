import type { SimulatedWorld } from '../world/world.js'
import { Violation } from './violation.js'

/** A backend is never at two changes of one object: the later one would change something else than what it was judged on. */
export async function oneCallForEachObject({ observations, servers }: SimulatedWorld): Promise<void> {
  for (const rivals of observations.takeStarted()) {
    const [{ collection }] = rivals as [(typeof rivals)[number]]
    const keys = rivals.map(({ mutation }) => mutation.key)
    const entries = await servers.store.journal.entries(collection, keys)
    const started = entries.filter(({ state }) => state === 'started')
    if (started.length > 1)
      throw new Violation('one change of an object is under way at a time', JSON.stringify(started))
  }
}
