import { createHash } from 'node:crypto'
import type { Mutation, Outcome } from '@godwit/protocol'
import { attempt, sessionOf } from '../actors/administrator.js'
import { askAnew } from '../actors/operator.js'
import type { Answered } from '../actors/servers.js'
import { clientsFit, outcomesFit, photosFit } from '../checks/quotas.js'
import type { World } from '../world/world.js'

const OBJECTS = 2
const MOST_CLIENTS = 4
const SOURCE = 'Item'

/** What a device of another make does, which the SDK never would. */
export const foreignActions = {
  /** It sends several changes of the same objects, and acknowledges now and then. */
  pushAbroad: (world: World) => whileFree(world, () => push(world)),

  /** It takes one client after the other. */
  takeClients: (world: World) =>
    whileFree(world, async () => {
      for (let left = world.dice.between(1, MOST_CLIENTS); left > 0; left--) await takeClient(world)
    }),

  /** It sends photos that no change names. */
  sendPhotos: (world: World) =>
    whileFree(world, async () => {
      for (let left = world.dice.between(1, 3); left > 0; left--) await sendPhoto(world)
    }),
}

/** One request of it at a time; it logs in first. */
function whileFree(world: World, run: () => Promise<void>): void {
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

async function takeClient(world: World): Promise<void> {
  const answer = await ask(world, { method: 'POST', path: '/rc/v1/clients', body: {} })
  if (answer === undefined) return
  if (answer.status === 200) {
    world.foreign.clients++
    world.foreign.restart((JSON.parse(answer.text) as { client: { client_id: string } }).client.client_id)
  }
  clientsFit(world, answer)
}

async function sendPhoto(world: World): Promise<void> {
  const bytes = Buffer.from(world.newValue('photo that nothing names '))
  const hash = createHash('sha256').update(bytes).digest('hex')
  const query = new URLSearchParams({ hash, size: String(bytes.length), offset: '0' })
  const answer = await ask(world, { method: 'POST', path: `/app/v1/${SOURCE}/blobs?${query}`, bytes })
  if (answer?.status === 200) world.foreign.uploads.push(world.time.now())
  if (answer !== undefined) photosFit(world, answer)
}

async function push(world: World): Promise<void> {
  const { foreign, dice } = world
  if (foreign.client === undefined) await takeClient(world)
  if (foreign.client === undefined || !(await pull(world))) return
  if (foreign.unanswered.length === 0) foreign.unanswered = changes(world)
  if (dice.chance(0.4)) foreign.acknowledged = foreign.told
  const { epoch, acknowledged, unanswered: mutations } = foreign
  const body = { epoch, acknowledged, mutations }
  const answer = await ask(world, { method: 'POST', path: `/app/v1/${SOURCE}`, body })
  if (answer === undefined) return
  outcomesFit(world, answer)
  if (answer.status !== 200) return
  foreign.unanswered = []
  hear(world, (JSON.parse(answer.text) as { outcomes: readonly Outcome[] }).outcomes)
}

/** Reads the outcomes and the epoch; false without an answer. */
async function pull(world: World): Promise<boolean> {
  const { foreign } = world
  const query = new URLSearchParams({ p_size: '1', acknowledged: String(foreign.acknowledged) })
  const answer = await ask(world, { method: 'GET', path: `/app/v1/${SOURCE}?${query}` })
  if (answer?.status !== 200) return false
  const { epoch, outcomes = [] } = JSON.parse(answer.text) as { epoch: string; outcomes?: readonly Outcome[] }
  foreign.epoch = epoch
  hear(world, outcomes)
  return true
}

function hear({ foreign }: World, outcomes: readonly Outcome[]): void {
  for (const { outcome = 0 } of outcomes) foreign.told = Math.max(foreign.told, outcome)
}

/** Several of each object, in their order. */
function changes(world: World): readonly Mutation[] {
  const { foreign, dice } = world
  const objects = [...world.backend(SOURCE).objects(foreign.login).keys()]
  return Array.from({ length: dice.between(2, 4) }, () => {
    const number = ++foreign.number
    const key = `${foreign.client} change ${number}`
    const attributes = { a: world.newValue('a') }
    return { number, key, operation: 'update', object: dice.any(objects) ?? '', attributes, was: { a: null } }
  })
}

/** What its backend has of its user, so that there is something to change. */
export async function stockAbroad(world: World): Promise<void> {
  if (world.plan.quotas === undefined) return
  const backend = world.backend(SOURCE)
  const { login } = world.foreign
  for (let left = OBJECTS; left > 0; left--) backend.write(login, backend.newId(), { mark: world.newValue('m') })
  await askAnew(world, { source: SOURCE, partition: `user:${login}` })
}

async function ask(
  world: World,
  given: Pick<Parameters<typeof attempt>[1], 'method' | 'path' | 'body' | 'bytes'>,
): Promise<Answered | undefined> {
  const { session, client } = world.foreign
  if (session === undefined) return undefined
  const answer = await attempt(world, { ...given, session, client })
  world.note(`    ${world.foreign.login}: ${given.method} ${given.path.split('?')[0]} ${answer?.status}`)
  return answer
}
