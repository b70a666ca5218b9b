import { request } from '../actors/administrator.js'
import type { SimulatedDevice } from '../actors/device.js'
import { comparedAttributes } from '../actors/models.js'
import type { SourcePlan } from '../world/plan.js'
import type { SimulatedWorld } from '../world/world.js'
import { sameObject, showAll } from './device-view.js'
import { Violation } from './violation.js'

/** An object that the server reports as present on a device, with the minimum version there. */
interface ReportedObject {
  readonly object: string
  readonly version: number
}

/** Checks that the server reports only what the device has confirmed. */
export async function checkReportedObjects(world: SimulatedWorld, device: SimulatedDevice): Promise<void> {
  const client = device.isDead ? null : device.sdk.clientId()
  const user = device.owner
  if (client === null || user === null) return
  const read = async (path: string): Promise<string | undefined> => {
    const { lineages } = world.observations
    const { status, text } = await request(world, { method: 'GET', path })
    // The collection was recreated during the request, so the response may be outdated.
    return status === 200 && lineages === world.observations.lineages ? text : undefined
  }
  for (const plan of world.plan.sources) {
    const { name } = plan
    const isSame = (): boolean => !device.isDead && device.sdk.clientId() === client && device.owner === user
    const check = (reported: readonly ReportedObject[], by: string): void => {
      if (isSame()) for (const one of reported) isOnDevice(world, device, plan, one, by)
    }
    const cd = await read(`/rc/v1/clients/${client}/sources/${name}/docs/cd`)
    if (cd !== undefined) check(reportedByContent(world, device, plan, cd), 'cd')
    const size = await read(`/rc/v1/clients/${client}/sources/${name}/docs/cd_size`)
    if (size !== undefined && isSame()) sizeFits(world, device, plan, size)
    const info = await read(`/rc/v1/clients/${client}`)
    if (info !== undefined) check(reportedByPosition(world, device, plan, positionIn(info, name)), 'positions')
    const token = await read(`/rc/v1/clients/${client}/sources/${name}/docs/page_token`)
    if (token) check(reportedByPosition(world, device, plan, versionIn(token)), 'page_token')
    for (const object of world.observations.of(device.collection(name, user)).ids().slice(-3)) {
      const query = new URLSearchParams({ source: name, user, object, client })
      const answer = await read(`/rc/v1/explain?${query}`)
      if (answer !== undefined) check(reportedByExplanation(object, answer), 'explain')
    }
  }
}

/** Returns each object of `cd`, with the first version that had this content. */
function reportedByContent(
  world: SimulatedWorld,
  device: SimulatedDevice,
  { name }: SourcePlan,
  cd: string,
): readonly ReportedObject[] {
  const history = world.observations.of(device.collection(name))
  return Object.entries(JSON.parse(cd) as { readonly [object: string]: object }).flatMap(([object, attributes]) => {
    const version = history.find(object, 0, kept => sameObject(kept, attributes as never))
    return version === undefined ? [] : [{ object, version }]
  })
}

/** Returns every object of the collection, with the reported position as version. */
function reportedByPosition(
  world: SimulatedWorld,
  device: SimulatedDevice,
  { name }: SourcePlan,
  version: number,
): readonly ReportedObject[] {
  const history = world.observations.of(device.collection(name))
  return history.ids().map(object => ({ object, version: Math.min(version, history.version) }))
}

function reportedByExplanation(object: string, answer: string): readonly ReportedObject[] {
  const { on_device, findings } = JSON.parse(answer) as {
    readonly on_device: string
    readonly findings: readonly { readonly code: string; readonly message: string }[]
  }
  const present = findings.find(({ code }) => code === 'object_present')
  const version = Number(/at version (\d+)/.exec(present?.message ?? '')?.[1] ?? 0)
  return on_device === 'yes' ? [{ object, version }] : []
}

const positionIn = (info: string, source: string): number =>
  (JSON.parse(info) as { readonly positions: { readonly [source: string]: number } }).positions[source] ?? 0

const versionIn = (token: string): number => (JSON.parse(token) as { readonly version: number }).version

/** Throws if the reported size exceeds the number of objects that the collection ever had. */
function sizeFits(world: SimulatedWorld, device: SimulatedDevice, { name }: SourcePlan, size: string): void {
  const most = world.observations.of(device.collection(name)).ids().length
  if (Number(size) <= most) return
  throw new Violation(
    'what is told of a device is what it has',
    `cd_size of ${name} is ${size}, it had ${most} objects`,
  )
}

/** Throws if the device lacks the object, or shows only a state from before that version. */
function isOnDevice(
  world: SimulatedWorld,
  device: SimulatedDevice,
  { name, passThrough }: SourcePlan,
  { object, version }: ReportedObject,
  by: string,
): void {
  if (passThrough || device.emptied || device.damaged.size > 0) return
  const history = world.observations.of(device.collection(name))
  const view = showAll(world, device).find(({ plan }) => plan.name === name)
  if (view === undefined || view.changes.some(change => change.object === object)) return
  const row = view.rows.get(object) ?? null
  // Until its next sync, a device lacks what was removed in a past that a restore has undone.
  if (row === null && world.observations.lineages > 0 && device.expectation(name).isUnknown) return
  const names = comparedAttributes(view.plan, device.schemaVersion)
  const fits = (from: number): boolean => history.find(object, from, kept => sameObject(row, kept, names)) !== undefined
  // A state that the collection never had belongs to another lineage; the end of a resync removes it.
  if (fits(version) || !fits(0)) return
  throw new Violation(
    'what is told of a device is what it has',
    `${by} of ${device.name} has ${name} ${object} at version ${version}, it shows ${JSON.stringify(row)} of ${history.of(object)}`,
  )
}
