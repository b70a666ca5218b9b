import type { PendingChange } from '@godwit/model/node'
import type { Attributes } from '@godwit/protocol'
import type { SimulatedDevice } from '../actors/device.js'
import type { Plan, SourcePlan } from '../world/plan.js'

/** What a device shows of one source. */
export interface DeviceView {
  readonly plan: SourcePlan
  readonly rows: ReadonlyMap<string, Attributes>
  readonly changes: readonly PendingChange[]
}

/** The views of a world's devices, each as of a change of its disk. */
interface ViewCache {
  readonly plan: Plan
  readonly views: WeakMap<SimulatedDevice['sdk'], { readonly at: number; readonly views: readonly DeviceView[] }>
}

/** What a device shows of every source: read once while its disk stays as it is. */
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

/** A photo is what its hash is, as servers have it. */
function withHashes(attributes: Attributes): Attributes {
  const photo = (attributes as { readonly photo?: { readonly hash: string } }).photo
  return photo === undefined ? attributes : { ...attributes, photo: photo.hash }
}

/** Absent ones are left out, as servers have them. */
const present = (attributes: object): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined))
