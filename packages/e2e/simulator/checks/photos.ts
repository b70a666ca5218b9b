import type { Attributes } from '@godwit/protocol'
import type { SimulatedDevice } from '../actors/device.js'
import type { DeviceView } from './device-view.js'
import { Violation } from './violation.js'

export const photoIn = ({ photo }: Attributes): string | undefined =>
  typeof photo === 'string' ? photo.slice(-64) : undefined

export const fileOf = (photo: string): string => `blobs/${photo}`

/** Checks that a device keeps the file of a photo until its change is decided, and while a row refers to it. */
export function checkPhotosKept(device: SimulatedDevice, { plan, rows, changes }: DeviceView): void {
  if (plan.photos !== true) return
  const has = (photo: string): boolean =>
    device.disk.files.bytesOf(fileOf(photo)) !== undefined || device.lostPhotos.has(photo)
  for (const change of changes) {
    const photo = photoIn(change.attributes)
    if (photo !== undefined && !has(photo))
      throw new Violation(
        'a photo is kept until it is decided',
        `${device.name} has no file for ${JSON.stringify(change)}`,
      )
  }
  const before = device.photosDisplayed.get(plan.name)
  const now = new Map<string, string>()
  for (const [object, row] of rows) {
    const photo = photoIn(row)
    if (photo === undefined) continue
    if (has(photo)) now.set(object, photo)
    else if (before?.get(object) === photo)
      throw new Violation('what a device has does not go', `${device.name} lost the photo of ${plan.name} ${object}`)
  }
  device.photosDisplayed.set(plan.name, now)
}
