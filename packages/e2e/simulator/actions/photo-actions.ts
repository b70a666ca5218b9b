import type { CollectionId } from '@godwit/store'
import { backendWrites } from '../actors/backend-people.js'
import { checkInvariants } from '../checks/invariants.js'
import { backendPartition } from '../world/partitions.js'
import type { SimulatedWorld } from '../world/world.js'
import { deviceOf } from './action.js'
import { edit, update } from './edit.js'
import { sync } from './sync.js'

/** Interval of sweeps in milliseconds. */
const SWEEP_INTERVAL = 10 * 60_000
/** A photo size limit in bytes that some photos exceed. */
const LOWER_LIMIT = 20

/** Actions with photos. */
export const photoActions = {
  /** Sweeps unused photos on servers and devices while changes are in transit. */
  async sweepPhotos(world: SimulatedWorld) {
    const { dice } = world
    if (dice.chance(0.6)) sync(world, deviceOf(world))
    await world.run(dice.below(25), () => checkInvariants(world))
    world.time.pass(SWEEP_INTERVAL)
    if (dice.chance(0.5)) sync(world, deviceOf(world))
    if (dice.chance(0.3)) backendWrites(world)
    await world.pass(6000, () => checkInvariants(world))
  },

  /**
   * Sweeps an uploaded photo before the change that names it arrives. Unlike a device, a backend does not repeat what it has handed over, which the
   * server's own sweep spares for longer than a query or a call may take.
   */
  async sweepUpload(world: SimulatedWorld) {
    const { dice, observations, servers } = world
    const device = deviceOf(world)
    if (device.isDead || device.owner === null) return
    for (let left = dice.between(1, 2); left > 0 && !device.isDead; left--) update(world, device)
    const before = observations.uploads
    sync(world, device)
    for (let left = 60; left > 0 && observations.uploads === before; left--)
      await world.run(1, () => checkInvariants(world))
    const { blobs } = servers.store
    for (const blob of await blobs.untouched({ since: world.time.now(), limit: 1000 })) {
      const [kind, source = '', partition = ''] = JSON.parse(blob.scope) as readonly string[]
      if (kind === 'source' && observations.of({ source, partition }).names(blob.name)) continue
      if (kind === 'source' && isHandedOver(world, { source, partition }, blob.name)) continue
      if (await blobs.remove(blob, { untouchedSince: world.time.now() })) world.note(`    ${blob.name} is swept`)
    }
  },

  /** Removes the file of a photo from a device. */
  losePhoto(world: SimulatedWorld) {
    const device = deviceOf(world)
    const names = device.disk.files.names().filter(name => /^blobs\/[0-9a-f]{64}$/.test(name))
    const name = world.dice.any(names)
    if (name === undefined || device.syncs > 0) return
    device.lostPhotos.add(name.slice('blobs/'.length))
    device.disk.files.remove(name)
    world.note(`    ${device.name} loses ${name}`)
  },

  /** Limits the size of photos, or lifts the limit, while some are in transit. */
  async limitPhotos(world: SimulatedWorld) {
    const device = deviceOf(world)
    for (let left = world.dice.between(1, 3); left > 0 && !device.isDead; left--) edit(world, device)
    sync(world, device)
    await world.run(world.dice.between(3, 15), () => checkInvariants(world))
    const isLower = world.dice.chance(0.5)
    world.servers.limits = isLower ? { blobBytes: LOWER_LIMIT } : {}
    if (isLower) world.leastPhoto = LOWER_LIMIT
    world.note(`    photos have at most ${isLower ? LOWER_LIMIT : 'all their'} bytes`)
    world.servers.crash()
  },
}

const isHandedOver = (world: SimulatedWorld, { source, partition }: CollectionId, photo: string): boolean =>
  world.backend(source).photos.hasHandedOver(backendPartition(partition), photo)
