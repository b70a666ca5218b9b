import { partitionOf, SOURCE_NAMES, type SourceName } from './sources.js'
import type { ChaosWorld } from './world.js'

/** Number of syncs, a fifth of a second apart: longer than leases, sweeps and index repairs together. */
const TURNS = 300

/** Restarts everything and syncs until nothing is undecided. Mutations in doubt are discarded, as by an operator who has checked the backend. */
export async function settleWorld(world: ChaosWorld): Promise<void> {
  const { apps, backend, proxy, servers } = world
  backend.moods = undefined
  for (const server of servers) {
    if (server.state === 'stopped') server.resume()
    if (server.state === 'dead') await server.startPersistently()
  }
  await proxy.untilReady(servers.length)
  for (let turn = 0; turn < TURNS; turn++) {
    await Promise.all(apps.map(app => app.sync()))
    // A store that lost writes may have lost a token too.
    const admin = await world.admin()
    const doubtful = await admin.operations.undecided()
    // The process that had started one may have settled it meanwhile; then there is nothing to discard.
    for (const { id } of doubtful) await admin.operations.discard(id).catch(() => undefined)
    // Including mutations that no device waits for: a store that lost writes may have queued them again.
    const { undecided } = await world.store.measure()
    const left = undecided.queued + undecided.started + undecided.in_doubt
    if (left === 0 && apps.every(({ sdk }) => sdk.changes().length === 0)) return settle(world)
    await new Promise(resolve => setTimeout(resolve, 200))
  }
  const left = apps.flatMap(({ name, sdk }) => sdk.changes().map(change => `${name}: ${JSON.stringify(change)}`))
  const failures = apps.map(({ name, failures }) => `${name} heard last: ${failures.slice(-3).join(' · ')}`)
  throw new Error(`The devices do not get done:\n${[...left, ...failures].join('\n')}`)
}

/** Delivers the last decisions of one device to the others. None of these syncs may fail. */
async function settle({ apps }: ChaosWorld): Promise<void> {
  for (const app of apps) app.failures.length = 0
  for (let round = 0; round < 2; round++) for (const app of apps) await app.sync()
}

/** Describes every violation after the world has settled. */
export async function findViolations(world: ChaosWorld): Promise<readonly string[]> {
  const { apps, backend, ledger } = world
  const reported = apps.map(({ name, sdk }) => ({ device: name, refused: sdk.refused() }))
  const owners = new Map(apps.map(({ name, login }) => [name, login]))
  const exists = ({ device, source, object }: { device: string; source: SourceName; object: string }): boolean =>
    object in backend.objects(source, partitionOf(source, owners.get(device) ?? ''))
  return [
    ...apps.flatMap(({ name, failures }) => failures.map(failure => `${name}: its last sync failed: ${failure}`)),
    ...ledger.broken(backend.deeds, reported, exists),
    ...(await Promise.all(apps.flatMap(app => SOURCE_NAMES.map(source => differences(world, app, source))))).flat(),
  ]
}

type Objects = Readonly<Record<string, object>>

/** Compares the collection and the device with the backend's objects. */
async function differences(
  { backend, store }: ChaosWorld,
  app: ChaosWorld['apps'][number],
  source: SourceName,
): Promise<readonly string[]> {
  const partition = partitionOf(source, app.login)
  const truth = backend.objects(source, partition)
  const name = partition === '*' ? '*' : `user:${partition}`
  const collection = await store.collections.get({ source, partition: name }, [
    ...Object.keys(truth),
    ...Object.keys(app.rows(source)),
  ])
  const count = (await store.collections.head({ source, partition: name }))?.count
  return [
    ...differ(`the collection ${source} of ${partition}`, truth, collection),
    ...(count === Object.keys(truth).length ? [] : [`the collection ${source} of ${partition} counts ${count}`]),
    ...differ(`${source} on ${app.name}`, truth, app.rows(source)),
  ]
}

function differ(where: string, truth: Objects, displayed: Objects): readonly string[] {
  return [...new Set([...Object.keys(truth), ...Object.keys(displayed)])].flatMap(id => {
    const [expected, found] = [sortedText(truth[id]), sortedText(displayed[id])]
    return expected === found ? [] : [`${where}: ${id} is ${found}, and not ${expected}`]
  })
}

const sortedText = (value: object | undefined): string =>
  value === undefined ? 'absent' : JSON.stringify(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
