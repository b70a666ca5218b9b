import type { Mutation } from '@godwit/protocol'
import type { SimulatedDevice } from '../actors/device.js'
import type { SimulatedWorld } from '../world/world.js'
import { sameObject } from './device-view.js'
import { nameOf } from './sent-mutation.js'
import { Violation } from './violation.js'

/** Checks that every undecided change is in doubt, or waits for one in doubt, including doubts that a reset device has forgotten. */
export async function checkOnlyDoubtsLeft(world: SimulatedWorld): Promise<void> {
  const doubts = await world.servers.store.journal.undecided({ state: 'in_doubt', limit: 1000 })
  for (const device of world.devices) {
    const changes = device.sdk.changes()
    const doubtful = new Set(changes.filter(({ state }) => state === 'in_doubt').map(({ object }) => object))
    for (const { mutation } of doubts) doubtful.add(mutation.object)
    for (let grown = -1; grown !== doubtful.size; ) {
      grown = doubtful.size
      for (const { object, attributes } of changes) {
        const names = [object, attributes['owner'], attributes['parent']]
        if (names.some(name => doubtful.has(String(name)))) doubtful.add(object)
      }
    }
    const stuck = changes.find(({ object }) => !doubtful.has(object))
    if (stuck) throw new Violation('nothing is blocked', `${device.name} never got rid of ${JSON.stringify(stuck)}`)
  }
}

/** Checks that devices show which changes are in doubt; after a restore from a file, only the last one, which they ask about. */
export async function checkDoubtsReported({ servers, devices, observations }: SimulatedWorld): Promise<void> {
  const doubts = await servers.store.journal.undecided({ state: 'in_doubt', limit: 1000 })
  for (const { client, collection, mutation } of doubts) {
    const isHere = (device: SimulatedWorld['devices'][number]): boolean =>
      nameOf(device.collection(collection.source)) === nameOf(collection)
    // A device receives no outcomes of a partition that its user has left.
    const device = devices.find(one => one.sdk.clientId() === client && isHere(one))
    const sent = device?.sdk.changes(collection.source).filter(({ state }) => state !== 'unsent') ?? []
    const requested = observations.isForgotten(mutation.key) ? sent.slice(-1) : sent
    const unreported = requested.find(
      ({ object, operation, attributes, state }) =>
        object === mutation.object &&
        operation === mutation.operation &&
        sameObject(attributes, mutation.attributes ?? {}) &&
        state !== 'in_doubt',
    )
    if (device && unreported && !isThrownAway(device, mutation))
      throw new Violation(
        'a doubt is told',
        `${device.name} does not know of the doubt about ${JSON.stringify(unreported)}`,
      )
  }
}

/** True for a delete that the app threw away: another of the same object has no value that tells it apart. */
const isThrownAway = ({ edits }: SimulatedDevice, { operation, object }: Mutation): boolean =>
  operation === 'delete' &&
  edits.some(edit => edit.status === 'discarded' && edit.operation === 'delete' && edit.object === object)
