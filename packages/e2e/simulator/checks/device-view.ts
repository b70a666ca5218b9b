import type { PendingChange } from '@godwit/model/node'
import type { Attributes } from '@godwit/protocol'
import type { SimulatedDevice } from '../actors/device.js'
import type { Plan, SourcePlan } from '../world/plan.js'

/** The rows that a device shows of one source. */
export interface DeviceView {
  readonly plan: SourcePlan
  readonly rows: ReadonlyMap<string, Attributes>
  readonly changes: readonly PendingChange[]
}

/** Cached views of devices, by the change count of their disks. */
interface ViewCache {
  readonly plan: Plan
  readonly views: WeakMap<SimulatedDevice['sdk'], { readonly at: number; readonly views: readonly DeviceView[] }>
}

/** Reads what a device shows of every source, unless its disk is unchanged. */
export function showAll({ plan, views: known }: ViewCache, device: SimulatedDevice): readonly DeviceView[] {
  const { sdk, disk } = device
  const last = known.get(sdk)
  if (last?.at === disk.changes) return last.views
  const at = disk.changes
  const changes = sdk.changes()
  const views = plan.sources.map(source => ({
    plan: source,
    rows: rowsOf(device, source),
    changes: changes.filter(({ model }) => model === source.name),
  }))
  known.set(sdk, { at, views })
  return views
}

export function rowsOf(device: SimulatedDevice, plan: SourcePlan): ReadonlyMap<string, Attributes> {
  return new Map(
    device
      .model(plan.name)
      .find()
      .map(({ id, ...attributes }) => [id, withHashes(present(attributes))]),
  )
}

export function sameObject(row: Attributes | null, other: Attributes | null, names?: readonly string[]): boolean {
  if (row === null || other === null) return row === other
  const all = names ?? [...new Set([...Object.keys(row), ...Object.keys(other)])]
  return all.every(name => (row[name] ?? null) === (other[name] ?? null))
}

/** Converts photos to their hashes, as on servers. */
function withHashes(attributes: Attributes): Attributes {
  const photo = (attributes as { readonly photo?: { readonly hash: string } }).photo
  return photo === undefined ? attributes : { ...attributes, photo: photo.hash }
}

/** Removes absent attributes, as servers do. */
const present = (attributes: object): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined))
