import type { CollectionId } from '@godwit/store'
import type { SimulatedDevice } from '../actors/device.js'
import { hashOf } from '../actors/device-files.js'
import { backendPartition } from '../world/partitions.js'
import type { SimulatedWorld } from '../world/world.js'
import { rowsOf } from './device-view.js'
import { checkInvariants } from './invariants.js'
import { fileOf, photoIn } from './photos.js'
import { Violation } from './violation.js'

/** Milliseconds slightly above the longest delay before a device requests a missing photo again. */
const MAX_PHOTO_WAIT = 61 * 60_000

/** Waits until devices have requested photos again that the server lacked. */
export async function waitForAbsentPhotos(world: SimulatedWorld, settle: () => Promise<void>): Promise<void> {
  if (!world.devices.some(device => absentPhotoOn(world, device) !== undefined)) return
  await world.pass(MAX_PHOTO_WAIT, () => checkInvariants(world))
  await settle()
}

function absentPhotoOn({ plan }: SimulatedWorld, device: SimulatedDevice) {
  for (const source of plan.sources) {
    if (source.photos !== true) continue
    for (const [object, row] of rowsOf(device, source)) {
      const photo = photoIn(row)
      if (photo === undefined || device.lostPhotos.has(photo)) continue
      const bytes = device.disk.files.bytesOf(fileOf(photo))
      if (bytes === undefined || hashOf(bytes) !== photo) return { source: source.name, object, photo }
    }
  }
  return undefined
}

/** Checks that devices, store and backend have the bytes of all photos that objects name. */
export async function checkPhotosEverywhere(world: SimulatedWorld): Promise<void> {
  for (const device of world.devices) {
    const absent = absentPhotoOn(world, device)
    if (absent)
      throw new Violation('in the end everybody has the photos', `${device.name} has none: ${JSON.stringify(absent)}`)
  }
  for (const { collection } of world.observations.all()) {
    const backend = world.backend(collection.source)
    if (backend.plan.photos !== true) continue
    const whose = backendPartition(collection.partition)
    for (const [object, attributes] of backend.objects(whose)) {
      const photo = photoIn(attributes)
      if (photo === undefined) continue
      const facts = `of ${collection.source} ${object}, ${photo}`
      if (backend.photos.bytesOf(whose, photo) === undefined)
        throw new Violation('in the end everybody has the photos', `the backend has not the one ${facts}`)
      // Without devices of its user, a collection may not have been queried after the photo was added.
      if (!world.observations.of(collection).names(photo)) continue
      // A photo that is delivered late needs another query, which only a sync causes.
      if (backend.plan.putsLate === true && !isSynced(world, collection)) continue
      if (!(await isStored(world, collection, photo)))
        throw new Violation('in the end everybody has the photos', `the store has not the one ${facts}`)
    }
  }
}

/** Returns true if a device still syncs the collection; its user may have left for another one. */
const isSynced = ({ devices }: SimulatedWorld, { source, partition }: CollectionId): boolean =>
  devices.some(device => device.collection(source).partition === partition)

/** Returns true if the store has the complete and correct bytes. */
async function isStored(
  { servers }: SimulatedWorld,
  { source, partition }: CollectionId,
  photo: string,
): Promise<boolean> {
  const { blobs } = servers.store
  const blob = { scope: JSON.stringify(['source', source, partition]), name: photo }
  const facts = await blobs.find(blob)
  if (facts?.complete !== true) return false
  const parts: Uint8Array[] = []
  for (let at = 0; at < facts.size; at += parts.at(-1)?.length ?? 0)
    parts.push(await blobs.read(blob, { offset: at, length: 1024 * 1024 }))
  return hashOf(Buffer.concat(parts)) === photo
}

/** Checks that unreferenced photos are removed once no change is undecided that could refer to them. */
export async function checkUnnamedPhotosRemoved(world: SimulatedWorld): Promise<void> {
  if (!world.plan.sources.some(({ photos }) => photos === true)) return
  for (let times = 3; times > 0; times--) {
    world.time.pass(MAX_PHOTO_WAIT)
    await world.pass(6000, () => checkInvariants(world))
  }
  const { blobs } = world.servers.store
  for (const { scope, name } of await blobs.untouched({ since: world.time.now(), limit: 1000 })) {
    const [kind, source, partition = ''] = JSON.parse(scope) as readonly string[]
    const place = source === undefined ? undefined : { source, partition }
    if (kind === 'source' && place && world.observations.of(place).names(name)) continue
    throw new Violation('what nothing names goes', `the store still has ${name} of ${scope}`)
  }
}

/** Checks that no photo on the device is reported as lost, unless it exceeds the server's size limit. */
export function checkNoPhotoLost({ photos, leastPhoto }: SimulatedWorld, device: SimulatedDevice): void {
  for (const { code, attributes, object } of device.heardRefusals) {
    const photo = photoIn(attributes)
    if (photo === undefined || !/^(blobs_lost|file_not_found|body_too_large|blob_missing)$/.test(code)) continue
    if (device.lostPhotos.has(photo) || photos.sizeOf(photo) > leastPhoto) continue
    throw new Violation('a photo is not given up', `${device.name} heard ${code} of ${object} with ${photo}`)
  }
}
