import { createHash } from 'node:crypto'
import type { Mutation, Outcome, Page } from '@godwit/protocol'
import { attempt, sessionOf } from '../actors/administrator.js'
import { performBackendEdit, publish } from '../actors/backend-people.js'
import { requestQuery } from '../actors/operator.js'
import type { WholeResponse } from '../actors/servers.js'
import { checkDoubtsInAnswers, checkSlowPass } from '../checks/foreign.js'
import { checkClientQuota, checkOutcomeQuota, checkPhotoQuota } from '../checks/quotas.js'
import type { SimulatedWorld } from '../world/world.js'

const OBJECTS = 2
const MAX_CLIENTS = 4
const SOURCE = 'Item'

/** Actions of a third-party device that the SDK would not perform. */
export const foreignActions = {
  /** Pushes several changes of the same objects, and acknowledges only sometimes. */
  pushAbroad: (world: SimulatedWorld) => runExclusive(world, () => push(world)),

  /** Pulls one page of a pass; other events happen before the next page. */
  pullAbroad: (world: SimulatedWorld) =>
    runExclusive(world, async () => {
      const { dice } = world
      if (dice.chance(0.5)) for (let left = dice.between(1, 4); left > 0; left--) changeAbroad(world)
      if (dice.chance(0.3)) await raiseFloor(world)
      await takePage(world)
    }),

  /** Registers several clients, one after the other. */
  takeClients: (world: SimulatedWorld) =>
    runExclusive(world, async () => {
      for (let left = world.dice.between(1, MAX_CLIENTS); left > 0; left--) await takeClient(world)
    }),

  /** Uploads photos that no change names. */
  sendPhotos: (world: SimulatedWorld) =>
    runExclusive(world, async () => {
      for (let left = world.dice.between(1, 3); left > 0; left--) await sendPhoto(world)
    }),
}

/** Logs the device in and runs a request, unless another one is running. */
function runExclusive(world: SimulatedWorld, run: () => Promise<void>): void {
  const { foreign } = world
  if (foreign.isBusy) return
  foreign.isBusy = true
  world.start(async () => {
    try {
      foreign.session ??= (await sessionOf(world, foreign.login))?.session
      if (foreign.session !== undefined) await run()
    } finally {
      foreign.isBusy = false
    }
  })
}

async function takeClient(world: SimulatedWorld): Promise<void> {
  const answer = await ask(world, { method: 'POST', path: '/rc/v1/clients', body: {} })
  if (answer === undefined) return
  if (answer.status === 200) {
    world.foreign.clients++
    world.foreign.restart((JSON.parse(answer.text) as { client: { client_id: string } }).client.client_id)
  }
  checkClientQuota(world, answer)
}

async function sendPhoto(world: SimulatedWorld): Promise<void> {
  const bytes = Buffer.from(world.newValue('photo that nothing names '))
  const hash = createHash('sha256').update(bytes).digest('hex')
  const query = new URLSearchParams({ hash, size: String(bytes.length), offset: '0' })
  const answer = await ask(world, { method: 'POST', path: `/app/v1/${SOURCE}/blobs?${query}`, bytes })
  if (answer?.status === 200) world.foreign.uploads.push(world.time.now())
  if (answer !== undefined) checkPhotoQuota(world, answer)
}

async function push(world: SimulatedWorld): Promise<void> {
  const { foreign, dice } = world
  if (foreign.client === undefined) await takeClient(world)
  if (foreign.client === undefined || !(await pull(world))) return
  const isAgain = foreign.unanswered.length === 0 && foreign.answered.length > 0 && dice.chance(0.4)
  if (isAgain) foreign.unanswered = foreign.answered
  if (foreign.unanswered.length === 0) foreign.unanswered = changes(world)
  if (isAgain || dice.chance(0.4)) foreign.acknowledged = foreign.reported
  const { epoch, acknowledged, unanswered: mutations } = foreign
  const body = { epoch, acknowledged, mutations }
  const answer = await ask(world, { method: 'POST', path: `/app/v1/${SOURCE}`, body })
  if (answer === undefined) return
  checkOutcomeQuota(world, answer)
  if (answer.status !== 200) return
  const { outcomes } = JSON.parse(answer.text) as { readonly outcomes: readonly Outcome[] }
  checkDoubtsInAnswers(world, outcomes)
  foreign.answered = foreign.unanswered
  foreign.unanswered = []
  foreign.hear(outcomes)
}

/** Pulls the outcomes and the epoch. Returns false without a response. */
async function pull(world: SimulatedWorld): Promise<boolean> {
  const { foreign } = world
  const query = new URLSearchParams({ p_size: '1', acknowledged: String(foreign.acknowledged) })
  const answer = await ask(world, { method: 'GET', path: `/app/v1/${SOURCE}?${query}` })
  if (answer?.status !== 200) return false
  const { epoch, outcomes = [] } = JSON.parse(answer.text) as { epoch: string; outcomes?: readonly Outcome[] }
  foreign.epoch = epoch
  foreign.hear(outcomes)
  return true
}

async function takePage(world: SimulatedWorld): Promise<void> {
  const { foreign } = world
  if (foreign.client === undefined) await takeClient(world)
  const token = foreign.token === undefined ? {} : { token: foreign.token }
  const query = new URLSearchParams({ p_size: '1', acknowledged: String(foreign.acknowledged), ...token })
  const { client } = foreign
  const answer = await ask(world, { method: 'GET', path: `/app/v1/${SOURCE}?${query}` })
  if (answer?.status !== 200 || foreign.client !== client) return
  const page = JSON.parse(answer.text) as Page
  foreign.take(page)
  checkSlowPass(world, page)
}

/** Compacts removals that every query shows, as if this device had been offline for long. */
async function raiseFloor(world: SimulatedWorld): Promise<void> {
  const { dice, foreign, servers } = world
  const collection = { source: SOURCE, partition: `user:${foreign.login}` }
  const { collections } = servers.retrying
  const { version = 0 } = (await collections.head(collection)) ?? {}
  const settled = await collections.versionAt(collection, world.time.now() - world.backend(SOURCE).plan.settle * 1000)
  const below = Math.min(settled, Math.max(0, version - dice.below(4)))
  await collections.compact(collection, { below, limit: 50 })
}

/** Creates or removes an object in the backend of the device's source. */
function changeAbroad(world: SimulatedWorld): void {
  const { dice, foreign } = world
  const backend = world.backend(SOURCE)
  const ids = [...backend.objects(foreign.login).keys()]
  const known = ids.length > OBJECTS && dice.chance(0.5) ? dice.any(ids) : undefined
  const attributes = known === undefined ? { mark: world.newValue('m') } : null
  const id = known ?? backend.newId()
  publish(world, backend, foreign.login, id, () => performBackendEdit(world, backend, foreign.login, id, attributes))
}

/** Returns several changes for each of some objects, in order. */
function changes(world: SimulatedWorld): readonly Mutation[] {
  const { foreign, dice } = world
  const objects = [...world.backend(SOURCE).objects(foreign.login).keys()]
  return Array.from({ length: dice.between(2, 4) }, () => {
    const number = ++foreign.number
    const key = `${foreign.client} change ${number}`
    const attributes = { a: world.newValue('a') }
    return { number, key, operation: 'update', object: dice.any(objects) ?? '', attributes, was: { a: null } }
  })
}

/** Creates initial objects of the device's user in the backend. */
export async function stockAbroad(world: SimulatedWorld): Promise<void> {
  if (world.plan.quotas === undefined) return
  const backend = world.backend(SOURCE)
  const { login } = world.foreign
  for (let left = OBJECTS; left > 0; left--) backend.write(login, backend.newId(), { mark: world.newValue('m') })
  await requestQuery(world, { source: SOURCE, partition: `user:${login}` })
}

async function ask(
  world: SimulatedWorld,
  given: Pick<Parameters<typeof attempt>[1], 'method' | 'path' | 'body' | 'bytes'>,
): Promise<WholeResponse | undefined> {
  const { session, client } = world.foreign
  if (session === undefined) return undefined
  const answer = await attempt(world, { ...given, session, client })
  world.note(`    ${world.foreign.login}: ${given.method} ${given.path.split('?')[0]} ${answer?.status}`)
  return answer
}
