import { join } from 'node:path'
import { defineModel, t } from '@godwit/model'
import { openSdk } from '@godwit/model/node'
import { createSyncServer, defineSource, refusal, type SyncServer } from '@godwit/server'
import { amount, turn } from '@godwit/testing'
import { expect, test } from '@jest/globals'
import { openVolatileStore, type VolatileStore } from '../harness/power-failure.js'
import { temporaryFolder } from '../harness/stores.js'
import { Dice } from '../simulator/world/dice.js'

const HISTORIES = amount({ deep: 6, night: 1000 })
const ROUNDS = 14

/** In seconds; a push answers soon, so that a history goes on beside calls that never end. */
const LIMITS = { passwordCost: 16, pushWait: 0.1, stopWait: 0 }

const attributes = { text: t.string() }
const models = {
  Safe: defineModel('Safe', { sync: 'incremental', attributes }),
  Once: defineModel('Once', { sync: 'incremental', attributes }),
}
type Name = keyof typeof models
const NAMES: readonly Name[] = ['Safe', 'Once']

/** A backend that survives the server's power failures, and counts the calls for each key. */
class Backend {
  readonly objects: { readonly [name in Name]: Map<string, { text: string }> } = { Safe: new Map(), Once: new Map() }
  /** Calls of `Once`, by key. */
  readonly calls = new Map<string, number>()
  readonly #created = new Map<string, string>()

  source(name: Name, alive: () => Promise<void>) {
    const objects = this.objects[name]
    const called = async (key: string, work: () => string | undefined) => {
      await alive()
      if (name === 'Once') this.calls.set(key, (this.calls.get(key) ?? 0) + 1)
      const result = work()
      await alive()
      return result
    }
    return defineSource<{ text: string }>({
      name,
      idempotent: name === 'Safe',
      pollInterval: 0,
      query: async () => {
        await alive()
        return Object.fromEntries(objects)
      },
      create: async (object, { idempotencyKey: key }) => {
        const id = await called(key, () => {
          const known = name === 'Safe' ? this.#created.get(key) : undefined
          const id = known ?? `${name}-${this.#created.size + 1}`
          this.#created.set(name === 'Safe' ? key : id, id)
          if (known === undefined) objects.set(id, object)
          return id
        })
        return { id: id ?? '' }
      },
      update: async (id, changes, { idempotencyKey }) => {
        await called(idempotencyKey, () => {
          const object = objects.get(id)
          if (!object) throw refusal('It is gone.')
          return void objects.set(id, { ...object, ...(changes as { text: string }) })
        })
      },
      delete: async (id, { idempotencyKey }) => {
        await called(idempotencyKey, () => void objects.delete(id))
      },
    })
  }
}

/** A server whose machine loses power: the next one starts with what was on the disk, and nothing of the former one has an effect any more. */
class Machine {
  readonly backend = new Backend()
  lostBytes = 0
  /** Milliseconds by which all clocks are ahead. */
  ahead = 0
  #life = 0
  #server: SyncServer | undefined
  #store: VolatileStore | undefined
  #failsIn: number | undefined
  readonly #folder: string
  readonly #dice: Dice
  readonly #former: (() => Promise<void>)[] = []

  constructor(folder: string, dice: Dice) {
    this.#folder = folder
    this.#dice = dice
    this.#start()
  }

  readonly clock = (): number => Date.now() + this.ahead

  #start(): void {
    const life = ++this.#life
    const store = openVolatileStore(this.#folderOf(life), this.clock)
    const sources = NAMES.map(name => this.backend.source(name, () => this.#alive(life)))
    const users = [{ login: 'ada', password: 'ada' }]
    const server = createSyncServer({
      store: store.store,
      sources,
      users,
      clock: this.clock,
      limits: LIMITS,
    })
    this.#former.push(async () => {
      await server.close()
      await store.store.close()
    })
    this.#server = server
    this.#store = store
  }

  #folderOf(life: number): string {
    return join(this.#folder, `life-${life}`)
  }

  /** Lets the power fail in the middle of a call of a backend, this many steps of calls from now. */
  failIn(steps: number): void {
    this.#failsIn = steps
  }

  fail(): void {
    this.#failsIn = undefined
    // The machine starts again after a minute, when the leases of its former processes have ended.
    this.ahead += 60_000
    this.lostBytes += this.#store?.copyTo(this.#folderOf(this.#life + 1), this.#dice) ?? 0
    this.#start()
  }

  async #alive(life: number): Promise<void> {
    if (life === this.#life && this.#failsIn !== undefined && this.#failsIn-- === 0) this.fail()
    if (life !== this.#life) throw new Error('this machine has no power')
  }

  readonly fetch: typeof fetch = async (input, init) => {
    const life = this.#life
    const reply = await this.#server?.fetch(new Request(input, init))
    if (life !== this.#life || reply === undefined) throw new TypeError('the connection is gone')
    return reply
  }

  async close(): Promise<void> {
    for (const close of this.#former) await close()
  }
}

async function device(machine: Machine, directory: string) {
  const given = {
    directory,
    server: 'http://sync.test',
    fetch: machine.fetch,
    eventStream: false,
    clock: machine.clock,
  }
  const sdk = await openSdk({ ...given, models })
  sdk.pollInterval = 0
  await sdk.login('ada', 'ada')
  return sdk
}
type Device = Awaited<ReturnType<typeof device>>

function edit(sdk: Device, dice: Dice, text: string): void {
  const model = sdk.models[dice.any(NAMES) as Name]
  const row = dice.chance(0.6) ? dice.any(model.find()) : undefined
  if (row === undefined) model.create({ text })
  else if (dice.chance(0.75)) model.update(row.id, { text })
  else model.destroy(row.id)
}

/** Syncs until only changes of `Once` are left: those in doubt, which a person has to decide, and what waits for them. Time passes between, so that leases of calls end. */
async function syncUntilDone(machine: Machine, sdk: Device): Promise<void> {
  for (let times = 0; times < 12; times++) {
    const summary = await sdk.sync().catch(() => undefined)
    if (
      summary?.sources.every(({ error }) => error === undefined) &&
      sdk.changes().every(({ model }) => model === 'Once')
    )
      return
    machine.ahead += 10 * 60_000
  }
  throw new Error(`The device does not get done: ${JSON.stringify(sdk.changes())}`)
}

/** Runs a random history of two devices and a machine that loses power, and returns what is left. */
async function history(seed: number) {
  const dice = new Dice(seed)
  const folder = temporaryFolder()
  const machine = new Machine(folder.path, dice)
  const devices = [
    await device(machine, join(folder.path, 'phone')),
    await device(machine, join(folder.path, 'tablet')),
  ]
  for (let round = 0; round < ROUNDS; round++) {
    const sdk = dice.any(devices) as Device
    for (let edits = dice.between(0, 3); edits > 0; edits--) edit(sdk, dice, `${round}.${edits}`)
    if (dice.chance(0.3)) machine.failIn(dice.between(0, 6))
    await sdk.sync().catch(() => undefined)
    if (dice.chance(0.3)) machine.fail()
  }
  for (const sdk of [...devices, ...devices]) await syncUntilDone(machine, sdk)
  const rows = devices.map(({ models }) => models.Safe.find().map(({ id, text }) => [id, { text }]))
  const { objects, calls } = machine.backend
  for (const sdk of devices) await sdk.close()
  await machine.close()
  folder.remove()
  const kept = rows.map(entries => Object.fromEntries(entries))
  return {
    kept,
    stored: Object.fromEntries(objects.Safe),
    calls: [...calls.values()],
    lostBytes: machine.lostBytes,
  }
}

test('after power failures that lose what was not flushed, devices hold what the backend holds, and no call is repeated', async () => {
  let lostBytes = 0
  for (let at = 0; at < HISTORIES; at++) {
    const seed = turn * HISTORIES + at + 1
    const { kept, stored, calls, lostBytes: lost } = await history(seed)
    lostBytes += lost
    expect({ seed, kept }).toEqual({ seed, kept: [stored, stored] })
    expect({ seed, most: Math.max(0, ...calls) }).toEqual({ seed, most: Math.min(1, calls.length) })
  }
  expect(lostBytes).toBeGreaterThan(0)
}, 120_000)
