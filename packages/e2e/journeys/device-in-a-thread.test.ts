import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { defineModel, isSyncError, type Sdk, t } from '@godwit/model'
import { openSdk } from '@godwit/model/node'
import { openRemote, type PortLike, remoteActions, remoteLink } from '@godwit/model/remote'
import { afterEach, expect, test } from '@jest/globals'
import { temporaryFolder } from '../harness/stores.js'

const program = fileURLToPath(new URL('../harness/programs/device-host.mjs', import.meta.url))
const City = defineModel('City', {
  partition: 'app',
  attributes: { name: t.string(), population: t.integer().default(0) },
})
const Visit = defineModel('Visit', { partition: 'user', attributes: { cityId: t.string(), note: t.string() } })
const models = { City, Visit }
interface Actions {
  readonly visitNew: (sdk: Sdk<typeof models>, name: string) => string
}

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

function folder(): string {
  const made = temporaryFolder()
  ends.push(() => made.remove())
  return join(made.path, 'device')
}

test('a thread has the device, and another one its models, live queries and actions', async () => {
  const worker = new Worker(program, { workerData: folder(), execArgv: [] })
  ends.push(() => worker.terminate())
  const device = openRemote(worker, { models, actions: remoteActions<Actions>(), release: 1 })
  const live = device.models.City.live({ order: { name: 'asc' } })
  const displayed = new Promise<void>(resolve => {
    live.subscribe(() => live.current().rows.length === 2 && resolve())
  })
  const paris = await device.models.City.create({ name: 'Paris', population: 2 })
  await device.actions.visitNew('Bonn')
  await displayed
  expect(live.current().rows).toEqual([expect.objectContaining({ name: 'Bonn' }), paris])
  expect(live.current().rows.every(Object.isFrozen)).toBe(true)
  await expect(device.models.City.find({ conditions: { none: 1 } as never })).rejects.toMatchObject({
    code: 'query_invalid',
  })
  device.close()
})

const over = (child: ChildProcess): PortLike => ({
  postMessage: message => void (child.connected && child.send(message as object)),
  on: (_, hear) => child.on('message', hear),
  off: (_, hear) => child.off('message', hear),
})

test('each call is done once, though the process that has the device is killed again and again', async () => {
  const directory = folder()
  const link = remoteLink({ models, actions: remoteActions<Actions>(), release: 1 })
  const { device } = link
  ends.push(device.close)
  let child: ChildProcess | undefined
  const start = (): void => {
    child = fork(program, [directory], { serialization: 'advanced', execArgv: [] })
    link.attach(over(child))
  }
  const kill = async (): Promise<void> => {
    const dying = child
    child = undefined
    if (!dying) return
    const gone = new Promise(resolve => dying.once('exit', resolve))
    dying.kill('SIGKILL')
    link.detach()
    await gone
  }
  ends.push(kill)
  start()
  await device.models.City.count()
  let isOver = false
  const ended = { done: [] as string[], unfinished: [] as string[] }
  const ask = async (name: string): Promise<unknown> => {
    const call = name.startsWith('visit') ? device.actions.visitNew(name) : device.models.City.create({ name })
    return call.catch((error: unknown) => {
      if (isSyncError(error) && error.code === 'owner_silent') return device.repeat(error)
      if (isSyncError(error) && error.code === 'call_unfinished') return ended.unfinished.push(name)
      throw error
    })
  }
  const page = async (own: number): Promise<void> => {
    for (let at = 0; !isOver; at++) {
      const name = `${at % 3 === 0 ? 'visit' : 'city'} ${own} ${at}`
      await ask(name)
      ended.done.push(name)
    }
  }
  const pages = [0, 1, 2, 3].map(page)
  for (let life = 0; life < 6; life++) {
    const seen = ended.done.length
    // The device is killed during calls, but only after some were answered.
    while (ended.done.length < seen + 20 + 37 * life) await new Promise(resolve => setImmediate(resolve))
    await kill()
    start()
  }
  isOver = true
  await Promise.all(pages)
  await kill()
  const sdk = await openSdk({ directory, models })
  ends.push(() => sdk.close())
  const names = sdk.models.City.find().map(({ name }) => name)
  const notes = sdk.models.Visit.find().map(({ note }) => note)
  const whole = ended.done.filter(name => !ended.unfinished.includes(name))
  expect(new Set(names).size).toBe(names.length)
  expect(new Set(notes).size).toBe(notes.length)
  expect(names.filter(name => !ended.unfinished.includes(name)).sort()).toEqual([...whole].sort())
  expect(notes.filter(name => !ended.unfinished.includes(name)).sort()).toEqual(
    whole.filter(name => name.startsWith('visit')).sort(),
  )
})
