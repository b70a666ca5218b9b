import { parametersName, sourceKeyText } from '@godwit/protocol'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { copiesOf } from '../copies/copy-state.js'
import { EVERYTHING } from '../query/query-tree.js'
import { checksumOf } from '../testing/fake/collection.js'
import { fakePartitions } from '../testing/fake/fake-partitions.js'
import { FakeServer } from '../testing/fake-server.js'
import { definition, driveOn, type OpenedDevice, openOn, temporaryDirectories } from '../testing/open-device.js'

const directories = temporaryDirectories()
const Task = definition('Task', {
  attributes: { project: 'String', title: 'String' },
  belongsTo: { project: 'Project' },
  by: ['project'],
})
const Project = definition('Project', { attributes: { name: 'String' } })
const seven = { project: '7' }
const eight = { project: '8' }

let server: FakeServer
let partitions: ReturnType<typeof fakePartitions>
let opened: OpenedDevice | undefined
let now: number
let directory: string

beforeEach(() => {
  server = new FakeServer()
  partitions = fakePartitions(['project'])
  server.partitions.set('Task', partitions)
  now = Date.parse('2026-01-01T00:00:00Z')
  directory = directories.make()
})

afterEach(async () => {
  await opened?.sdk.close()
  opened = undefined
  directories.removeAll()
})

async function open(): Promise<OpenedDevice> {
  opened = openOn(await driveOn('better-sqlite3', directory), server, [Project, Task], { clock: () => now })
  return opened
}

async function signedIn(): Promise<OpenedDevice> {
  const device = await open()
  await device.sdk.login('ada', 'ada')
  return device
}

const write = (parameters: { project: string }, objects: Parameters<FakeServer['write']>[1]) =>
  server.write(sourceKeyText({ source: 'Task', parameters }), objects)

const taskOf = (project: string, title: string) => ({ project, title })

const records = ({ device }: OpenedDevice, name = 'Task') => {
  const found = device.find(name)
  if (!found) throw new Error(`expected the model ${name}`)
  return found
}

const shown = (device: OpenedDevice) =>
  Object.fromEntries(
    records(device)
      .read(EVERYTHING)
      .map(({ object, attributes }) => [object, attributes['title']]),
  )

const copyOf = ({ parts }: OpenedDevice, parameters: { project: string }) => {
  const model = parts.registry.get('Task')
  const copy = model && copiesOf(model).find(one => one.copy.partition === parametersName(parameters))
  if (!copy) throw new Error(`expected a copy of ${parametersName(parameters)}`)
  return copy
}

/** Expects that each copy has the checksum of its partition on the server. */
function expectEqualSums(device: OpenedDevice, ...all: readonly { project: string }[]): void {
  for (const parameters of all)
    expect(copyOf(device, parameters).state.get().checksum).toBe(checksumOf(server.partition('Task', parameters)))
}

const pushesOfTasks = () => server.pushes.filter(({ source }) => source === 'Task').map(({ push }) => push)

describe('memberships', () => {
  test('a device holds what the server lists, without asking for it', async () => {
    partitions.listed = [seven, eight]
    write(seven, { a: taskOf('7', 'A') })
    write(eight, { b: taskOf('8', 'B') })
    write({ project: '9' }, { c: taskOf('9', 'C') })
    const device = await signedIn()
    await device.sdk.sync()
    expect(shown(device)).toEqual({ a: 'A', b: 'B' })
    expectEqualSums(device, seven, eight)
  })

  test('many unchanged partitions take one request', async () => {
    partitions.listed = Array.from({ length: 30 }, (_, at) => ({ project: String(at) }))
    for (const { project } of partitions.listed as { project: string }[])
      write({ project }, { [`t${project}`]: taskOf(project, project) })
    const device = await signedIn()
    await device.sdk.sync()
    const before = server.pulls.length
    await device.sdk.sync()
    expect(server.pulls.length - before).toBe(1)
    expect(server.pulls.at(-1)?.length).toBe(30)
    expect(Object.keys(shown(device)).length).toBe(30)
  })

  test('a removal ends the membership of its copy alone, and the other copy displays its own content', async () => {
    partitions.listed = [seven, eight]
    write(seven, { a: taskOf('7', 'of 7') })
    write(eight, { b: taskOf('8', 'B') })
    const device = await signedIn()
    await device.sdk.sync()
    write(eight, { a: taskOf('8', 'of 8') })
    await device.sdk.sync()
    expect(shown(device)).toEqual({ a: 'of 8', b: 'B' })
    expectEqualSums(device, seven, eight)
    write(eight, { a: null })
    await device.sdk.sync()
    expect(shown(device)).toEqual({ a: 'of 7', b: 'B' })
    expectEqualSums(device, seven, eight)
    write(seven, { a: null })
    await device.sdk.sync()
    expect(shown(device)).toEqual({ b: 'B' })
    expectEqualSums(device, seven, eight)
  })

  test('what a pass from zero delivers leads only where nothing else does', async () => {
    partitions.listed = [seven]
    write(seven, { a: taskOf('7', 'first') })
    write(eight, { a: taskOf('8', 'second') })
    const device = await signedIn()
    await device.sdk.sync()
    device.sdk.subscribe('Task', eight)
    await device.sdk.sync()
    expect(shown(device)).toEqual({ a: 'first' })
    expectEqualSums(device, seven, eight)
  })

  test('an object that one page removes and a later one delivers stays visible', async () => {
    partitions.listed = [seven, eight]
    write(seven, { a: taskOf('7', 'A') })
    write(eight, { b: taskOf('8', 'B') })
    const device = await signedIn()
    await device.sdk.sync()
    const counts: number[] = []
    const stop = records(device).observe(EVERYTHING, rows => counts.push(rows.length))
    write(seven, { a: null })
    write(eight, { a: taskOf('8', 'A') })
    await device.sdk.sync()
    stop()
    expect(counts.every(count => count === 2)).toBe(true)
    expectEqualSums(device, seven, eight)
  })
})

describe('copies', () => {
  test('a new epoch of one partition leaves the tokens and rows of the others', async () => {
    partitions.listed = [seven, eight]
    write(seven, { a: taskOf('7', 'A') })
    write(eight, { b: taskOf('8', 'B') })
    const device = await signedIn()
    await device.sdk.sync()
    const { token } = copyOf(device, eight).state.get()
    server.drop(sourceKeyText({ source: 'Task', parameters: seven }), { c: taskOf('7', 'C') })
    await device.sdk.sync()
    expect(shown(device)).toEqual({ b: 'B', c: 'C' })
    expect(JSON.parse(copyOf(device, eight).state.get().token ?? '')).toMatchObject({
      epoch: JSON.parse(token ?? '').epoch,
    })
    expectEqualSums(device, seven, eight)
  })

  test('a page of a request from before the sync number rose is dropped, alone', async () => {
    partitions.listed = [seven, eight]
    write(seven, { a: taskOf('7', 'A') })
    write(eight, { b: taskOf('8', 'B') })
    const device = await signedIn()
    await device.sdk.sync()
    write(seven, { a: taskOf('7', 'A2') })
    write(eight, { b: taskOf('8', 'B2') })
    let isVoid = false
    server.after = request => {
      if (request !== 'POST /app/v1/Task/pull' || isVoid) return
      isVoid = true
      copyOf(device, seven).state.voidToken()
    }
    await device.sdk.sync()
    expect(shown(device)).toEqual({ a: 'A', b: 'B2' })
    await device.sdk.sync()
    expect(shown(device)).toEqual({ a: 'A2', b: 'B2' })
    expectEqualSums(device, seven, eight)
  })

  test('a copy whose checksum differs is repaired, without the others and without another content on display', async () => {
    partitions.listed = [seven, eight]
    write(seven, { a: taskOf('7', 'of 7'), c: taskOf('7', 'C') })
    write(eight, { b: taskOf('8', 'B') })
    const device = await signedIn()
    await device.sdk.sync()
    write(eight, { a: taskOf('8', 'of 8') })
    await device.sdk.sync()
    device.parts.registry.get('Task')?.rows.remove('c')
    copyOf(device, seven).state.change({ checksum: '0123456789abcdef' })
    write(seven, { d: taskOf('7', 'D') })
    await device.sdk.sync()
    expect(shown(device)).toEqual({ a: 'of 8', b: 'B', c: 'C', d: 'D' })
    expect(server.requests).toContain('GET /app/v1/Task/versions')
    expectEqualSums(device, seven, eight)
  })

  test('another client id starts numbers and tokens over, and rows stay', async () => {
    partitions.listed = [seven]
    write(seven, { a: taskOf('7', 'A') })
    const device = await signedIn()
    await device.sdk.sync()
    server.clients.clear()
    await device.sdk.sync()
    expect(shown(device)).toEqual({ a: 'A' })
    expectEqualSums(device, seven)
  })
})

describe('routing', () => {
  test('a create goes to the partition that its attributes name, and a change to the one that leads', async () => {
    partitions.listed = [seven, eight]
    write(seven, { a: taskOf('7', 'A') })
    const device = await signedIn()
    await device.sdk.sync()
    records(device).insert({ project: '8', title: 'new' })
    records(device).change('a', { title: 'A2' })
    await device.sdk.sync()
    const sent = pushesOfTasks().flatMap(({ parameters, mutations }) =>
      mutations.map(({ operation, number, seen }) => ({ parameters, operation, number, seen })),
    )
    expect(sent).toEqual([
      { parameters: eight, operation: 'create', number: 1, seen: undefined },
      { parameters: seven, operation: 'update', number: 1, seen: 1 },
    ])
    expect(Object.values(shown(device)).sort()).toEqual(['A2', 'new'])
    expectEqualSums(device, seven, eight)
  })

  test('a change that moves an object is sent to the partition where it is', async () => {
    partitions.listed = [seven, eight]
    write(seven, { a: taskOf('7', 'A') })
    const device = await signedIn()
    await device.sdk.sync()
    server.decide = () => ({ moved: eight })
    server.after = request => {
      if (request === 'POST /app/v1/Task') write(eight, { a: taskOf('8', 'A') })
    }
    records(device).change('a', { project: '8' })
    await device.sdk.sync()
    expect(pushesOfTasks().map(({ parameters }) => parameters)).toEqual([seven])
    expect(shown(device)).toEqual({ a: 'A' })
  })

  test('a partition that is not held has a copy without rows while it has changes', async () => {
    partitions.listed = [seven]
    write(eight, { b: taskOf('8', 'B') })
    const device = await signedIn()
    await device.sdk.sync()
    records(device).insert({ project: '8', title: 'elsewhere' })
    await device.sdk.sync()
    expect(server.pulls.flat().filter(({ parameters }) => parameters['project'] === '8')[0]).toMatchObject({
      p_size: 0,
    })
    expect(device.sdk.changes()).toEqual([])
    expect(shown(device)).toEqual({})
    expect(Object.keys(server.live(sourceKeyText({ source: 'Task', parameters: eight }))).length).toBe(2)
  })

  test('an object that is gone in one copy is changed through another that has it', async () => {
    partitions.listed = [seven, eight]
    write(seven, { a: taskOf('7', 'A') })
    write(eight, { a: taskOf('8', 'A') })
    const device = await signedIn()
    await device.sdk.sync()
    const first = { project: pushed(device) }
    server.write(sourceKeyText({ source: 'Task', parameters: first }), { a: null })
    records(device).change('a', { title: 'changed' })
    await device.sdk.sync()
    await device.sdk.sync()
    expect(device.sdk.refused()).toEqual([])
    const [one, other] = pushesOfTasks()
    expect(one?.parameters).toEqual(first)
    expect(other?.parameters).not.toEqual(first)
    expect(other?.mutations[0]?.key).toBe(one?.mutations[0]?.key)
    expect(shown(device)).toEqual({ a: 'changed' })
  })

  /** The partition whose copy leads the object a. */
  const pushed = (device: OpenedDevice) => String(records(device).get('a')?.attributes['project'])

  test('no request names a temporary id as a partition', async () => {
    const device = await signedIn()
    await device.sdk.sync()
    const project = records(device, 'Project').insert({ name: 'new' }).object
    records(device).insert({ project, title: 'of a new project' })
    device.sdk.subscribe('Task', { project })
    server.decide = ({ operation, object }, source) =>
      source === 'Project' && operation === 'create' ? { link: `real-${object.length}` } : {}
    await device.sdk.sync()
    await device.sdk.sync()
    const named = [...server.pulls.flat(), ...pushesOfTasks()].map(({ parameters }) => parameters?.['project'])
    expect(named).not.toContain(project)
    expect(named).toContain(`real-${project.length}`)
    expect(Object.values(shown(device))).toEqual(['of a new project'])
    expect(device.sdk.subscriptions()).toMatchObject([
      { parameters: { project: `real-${project.length}` }, by: ['app'] },
    ])
  })

  test('a refused project refuses its tasks and ends its subscription', async () => {
    const device = await signedIn()
    await device.sdk.sync()
    const project = records(device, 'Project').insert({ name: 'refused' }).object
    records(device).insert({ project, title: 'of a refused project' })
    device.sdk.subscribe('Task', { project })
    server.decide = () => ({ status: 'refused' })
    await device.sdk.sync()
    expect(device.sdk.refused().map(({ model, status }) => [model, status])).toEqual([
      ['Project', 'refused'],
      ['Task', 'depends_on_refused'],
    ])
    expect(device.sdk.subscriptions()).toEqual([])
  })
})

describe('moves', () => {
  async function moving(): Promise<OpenedDevice> {
    partitions.listed = [seven, eight]
    write(seven, { a: taskOf('7', 'A') })
    write(eight, { b: taskOf('8', 'B') })
    const device = await signedIn()
    await device.sdk.sync()
    server.decide = () => ({ moved: eight })
    return device
  }

  test('a moved object is a visitor outside the sum until its new copy delivers it', async () => {
    const device = await moving()
    const counts: number[] = []
    const stop = records(device).observe(EVERYTHING, rows => counts.push(rows.length))
    server.after = request => {
      if (request === 'POST /app/v1/Task') write(eight, { a: taskOf('8', 'A') })
    }
    records(device).change('a', { project: '8' })
    await device.sdk.sync()
    await device.sdk.sync()
    stop()
    expect(counts.every(count => count === 2)).toBe(true)
    expect(shown(device)).toEqual({ a: 'A', b: 'B' })
    expectEqualSums(device, seven, eight)
  })

  test('a visitor leaves with a whole pass of its copy that did not deliver it', async () => {
    const device = await moving()
    records(device).change('a', { project: '8' })
    await device.sdk.sync()
    for (let sync = 0; sync < 2; sync++) await device.sdk.sync()
    expect(shown(device)).toEqual({ b: 'B' })
    expectEqualSums(device, seven, eight)
  })

  test('later changes of a moved object go to its new partition', async () => {
    const device = await moving()
    server.after = request => {
      if (request === 'POST /app/v1/Task') write(eight, { a: taskOf('8', 'A') })
    }
    records(device).change('a', { project: '8' })
    await device.sdk.sync()
    server.after = () => undefined
    server.decide = () => ({})
    records(device).change('a', { title: 'A2' })
    await device.sdk.sync()
    expect(pushesOfTasks().map(({ parameters }) => parameters)).toEqual([seven, eight])
    expect(shown(device)).toEqual({ a: 'A2', b: 'B' })
  })
})

describe('access', () => {
  test('a refused partition loses its rows, and holds up no other', async () => {
    partitions.listed = [seven, eight]
    write(seven, { a: taskOf('7', 'A') })
    write(eight, { b: taskOf('8', 'B') })
    const device = await signedIn()
    device.sdk.subscribe('Task', seven)
    await device.sdk.sync()
    const { epoch, next } = copyOf(device, seven).state.get()
    partitions.denied.add(parametersName(seven))
    write(eight, { b: taskOf('8', 'B2') })
    await device.sdk.sync()
    expect(shown(device)).toEqual({ b: 'B2' })
    expect(copyOf(device, seven).state.get()).toMatchObject({ epoch, next, token: null })
    expect(device.sdk.subscribe('Task', seven).state).toMatchObject({ kind: 'refused', code: 'partition_not_allowed' })
    partitions.denied.clear()
    await device.sdk.sync()
    expect(shown(device)).toEqual({ a: 'A', b: 'B2' })
    expectEqualSums(device, seven, eight)
  })

  test('unsent changes of a refused partition are refused, and kept for the app', async () => {
    partitions.listed = [seven]
    write(seven, { a: taskOf('7', 'A') })
    const device = await signedIn()
    device.sdk.subscribe('Task', seven)
    await device.sdk.sync()
    partitions.denied.add(parametersName(seven))
    records(device).change('a', { title: 'mine' })
    await device.sdk.sync()
    expect(device.sdk.changes()).toEqual([])
    expect(device.sdk.refused()).toMatchObject([{ status: 'refused', error: { code: 'partition_not_allowed' } }])
    expect(shown(device)).toEqual({})
  })

  test('a later change of a refused partition is refused too, though an earlier one was sent', async () => {
    partitions.listed = [seven]
    write(seven, { a: taskOf('7', 'A') })
    const device = await signedIn()
    device.sdk.subscribe('Task', seven)
    await device.sdk.sync()
    server.decide = () => ({ queue: true })
    records(device).change('a', { title: 'sent' })
    await device.sdk.sync()
    records(device).change('a', { title: 'later' })
    partitions.denied.add(parametersName(seven))
    await device.sdk.sync()
    await device.sdk.sync()
    expect(device.sdk.changes()).toEqual([])
    expect(device.sdk.refused().map(({ error }) => error.code)).toEqual(
      Array.from({ length: 2 }, () => 'partition_not_allowed'),
    )
  })

  test('a failing partition holds up nothing else and is tried again', async () => {
    partitions.listed = [seven, eight]
    write(seven, { a: taskOf('7', 'A') })
    write(eight, { b: taskOf('8', 'B') })
    partitions.failing.set(parametersName(seven), { code: 'backend_failed', message: 'down' })
    const device = await signedIn()
    const { sources } = await device.sdk.sync('Task')
    expect(sources).toMatchObject([{ source: 'Task', error: { code: 'backend_failed' } }])
    expect(shown(device)).toEqual({ b: 'B' })
    partitions.failing.clear()
    await device.sdk.sync()
    expect(shown(device)).toEqual({ a: 'A', b: 'B' })
  })

  test('a partition that a response had no room for leads the next request', async () => {
    partitions.listed = [seven, eight]
    write(eight, { b: taskOf('8', 'B') })
    partitions.unserved.add(parametersName(eight))
    const device = await signedIn()
    await device.sdk.sync()
    expect(server.pulls.at(-1)?.[0]?.parameters).toEqual(eight)
    expect(shown(device)).toEqual({ b: 'B' })
  })
})

describe('subscriptions', () => {
  test('a subscription made offline is kept over a restart', async () => {
    write(seven, { a: taskOf('7', 'A') })
    const first = await open()
    first.sdk.subscribe('Task', seven)
    expect(first.sdk.subscriptions()).toMatchObject([{ parameters: seven, by: ['app'], state: { kind: 'waiting' } }])
    await first.sdk.close()
    const device = await signedIn()
    await device.sdk.sync()
    expect(shown(device)).toEqual({ a: 'A' })
    expect(device.sdk.subscriptions()).toMatchObject([{ rows: 1, state: { kind: 'live' } }])
  })

  test('subscribing twice with an unsubscribe in between ends as the last call says', async () => {
    write(seven, { a: taskOf('7', 'A') })
    const device = await signedIn()
    const subscription = device.sdk.subscribe('Task', seven)
    subscription.unsubscribe()
    expect(device.sdk.subscriptions()).toEqual([])
    device.sdk.subscribe('Task', seven)
    device.sdk.subscribe('Task', seven)
    await device.sdk.sync()
    expect(shown(device)).toEqual({ a: 'A' })
    subscription.unsubscribe()
    await device.sdk.sync()
    expect(shown(device)).toEqual({})
  })

  test('rows stay for the time of keep after the last use', async () => {
    write(seven, { a: taskOf('7', 'A') })
    const device = await signedIn()
    const subscription = device.sdk.subscribe('Task', seven, { keep: '7d' })
    await device.sdk.sync()
    subscription.unsubscribe()
    now += 6 * 86_400_000
    await device.sdk.sync()
    expect(shown(device)).toEqual({ a: 'A' })
    now += 2 * 86_400_000
    await device.sdk.sync()
    expect(shown(device)).toEqual({})
  })

  test('rows with unsent changes stay until these are decided, and numbers go on', async () => {
    write(seven, { a: taskOf('7', 'A'), b: taskOf('7', 'B') })
    const device = await signedIn()
    const subscription = device.sdk.subscribe('Task', seven)
    await device.sdk.sync()
    server.decide = () => ({ queue: true })
    records(device).change('a', { title: 'mine' })
    subscription.unsubscribe()
    await device.sdk.sync()
    expect(shown(device)).toEqual({ a: 'mine' })
    server.decideQueued(sourceKeyText({ source: 'Task', parameters: seven }))
    await device.sdk.sync()
    expect(shown(device)).toEqual({})
    expect(device.sdk.changes()).toEqual([])
    device.sdk.subscribe('Task', seven)
    await device.sdk.sync()
    expect(shown(device)).toEqual({ a: 'mine', b: 'B' })
    expect(copyOf(device, seven).state.get().next).toBe(2)
    expectEqualSums(device, seven)
  })

  test('ready is true once the copy has what the server had at the call', async () => {
    write(seven, { a: taskOf('7', 'A') })
    const device = await signedIn()
    const subscription = device.sdk.subscribe('Task', seven)
    expect(await subscription.ready()).toBe(true)
    expect(shown(device)).toEqual({ a: 'A' })
    partitions.denied.add(parametersName(seven))
    expect(await subscription.ready()).toBe(false)
  })

  test('the first subscription of an untyped model names the attributes of its partitions, and restarts keep them', async () => {
    write(seven, { a: taskOf('7', 'A') })
    const { by: _, ...plain } = Task
    const openPlain = async () => openOn(await driveOn('better-sqlite3', directory), server, [plain])
    const first = await openPlain()
    first.sdk.subscribe('Task', seven)
    await first.sdk.close()
    opened = await openPlain()
    await opened.sdk.login('ada', 'ada')
    await opened.sdk.sync()
    expect(shown(opened)).toEqual({ a: 'A' })
  })

  test('parameters have a value of each attribute of by', async () => {
    const device = await open()
    expect(() => device.sdk.subscribe('Task', { other: '7' })).toThrow('expected a value of each of project')
  })
})
