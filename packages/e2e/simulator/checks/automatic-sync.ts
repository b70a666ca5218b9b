import type { PendingChange } from '@godwit/model/node'
import type { SimulatedDevice } from '../actors/device.js'
import { comparedAttributes } from '../actors/models.js'
import type { SimulatedWorld } from '../world/world.js'
import { sameObject, showAll } from './device-view.js'
import { checkInvariants } from './invariants.js'
import { Violation } from './violation.js'

/** Number of waits and milliseconds of each, together longer than the longest back-off. */
const WAIT_ROUNDS = 6
const WAIT_STEP = 66_000

/** Opens the app and logs in without a sync, so that the device has to sync automatically. */
export function startApp(world: SimulatedWorld, device: SimulatedDevice): void {
  if (device.isDead) device.reopen()
  const { sdk, process } = device
  if (sdk.isLoggedIn() || device.syncs > 0) return
  device.syncs++
  world.note(`    ${device.name} logs in`)
  world.start(async () => {
    try {
      await Promise.race([sdk.login(sdk.userName ?? device.wanted, 'secret'), process.death])
    } finally {
      device.syncs--
      if (!process.isDead) device.noticeOwner()
    }
  })
}

/** Waits until automatic syncs of devices must have happened. */
export async function waitForDevices(world: SimulatedWorld): Promise<void> {
  for (let left = WAIT_ROUNDS; left > 0; left--) await world.pass(WAIT_STEP, () => checkInvariants(world))
}

/** Checks that writes were sent and others' changes arrived automatically; on listening devices, before any poll. */
export function checkAutomaticSync(world: SimulatedWorld): void {
  for (const device of world.devices) {
    const unsent = unblockedChanges(device.sdk.changes())[0]
    if (unsent) throw new Violation('writes leave by themselves', `${device.name} still has ${JSON.stringify(unsent)}`)
    for (const { plan, rows, changes } of showAll(world, device)) {
      if (device.owner === null || plan.passThrough) continue
      const collectionHistory = world.observations.of(device.collection(plan.name))
      const own = new Set(changes.map(({ object }) => object))
      const names = comparedAttributes(plan, device.schemaVersion)
      for (const object of new Set([...rows.keys(), ...collectionHistory.ids()])) {
        const row = rows.get(object) ?? null
        if (
          own.has(object) ||
          collectionHistory.find(object, collectionHistory.version, kept => sameObject(row, kept, names)) !== undefined
        )
          continue
        const facts = `${device.name} shows ${plan.name} ${object} as ${JSON.stringify(row)}, it is ${collectionHistory.of(object)}`
        throw new Violation('what others changed comes by itself', facts)
      }
    }
  }
}

/** Returns the changes that wait neither for a change of the same object nor for one of an object that they refer to. */
function unblockedChanges(changes: readonly PendingChange[]): readonly PendingChange[] {
  const blocked = new Set(changes.flatMap(({ state, object }) => (state === 'unsent' ? [] : [object])))
  const isBlocked = ({ object, attributes }: PendingChange): boolean =>
    [object, attributes['owner'], attributes['parent']].some(name => blocked.has(String(name)))
  for (let before = -1; before !== blocked.size; ) {
    before = blocked.size
    for (const change of changes) if (isBlocked(change)) blocked.add(change.object)
  }
  return changes.filter(change => !isBlocked(change))
}

/** Checks that idle devices send no requests except polls. */
export async function checkNoRequestLoops(world: SimulatedWorld): Promise<void> {
  const { automatic, devices, sources } = world.plan
  if (automatic === undefined) return
  const before = world.network.sent
  await waitForDevices(world)
  const polls = Math.ceil((WAIT_ROUNDS * WAIT_STEP) / (automatic.seconds * 1000)) + 1
  // At each poll, a device pulls its sources and may ask about its last accepted change.
  const most = devices.length * sources.length * polls * 2
  const sent = world.network.sent - before
  if (sent > most)
    throw new Violation(
      'nothing goes round',
      `${sent} requests were sent while all users were idle; ${most} at most were expected`,
    )
}
