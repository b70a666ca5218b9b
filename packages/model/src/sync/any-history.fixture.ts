import type { Attributes } from '@godwit/protocol'
import { afterAll, describe, expect, test } from '@jest/globals'
import { stateOf } from '../outbox/object-state.js'
import { overlay } from '../outbox/overlay.js'
import { EVERYTHING } from '../query/query-tree.js'
import type { Records } from '../records/records.js'
import { type Decision, FakeServer } from '../testing/fake-server.js'
import { definition, driveOn, fragile, openOn, temporaryDirectories } from '../testing/open-device.js'
import { seededRandom } from '../testing/seeded-numbers.js'

const FIRST = Number(process.env['GODWIT_FIRST'] ?? 1)
const STEPS = 40

const directories = temporaryDirectories()
afterAll(() => directories.removeAll())

const models = [
  definition('Owner', { storage: 'fixed', freezed: true, attributes: { name: 'String', n: 'Integer' } }),
  definition('Child', { belongsTo: { owner: 'Owner', parent: 'Child' } }),
  definition('Far', { partition: 'app', belongsTo: { owner: 'Owner' }, fullUpdate: true }),
]
const NAMES = models.map(({ name }) => name)

/** One random history: local edits, a server that decides as it likes, backends that write, answers lost, processes killed; then quiet. */
async function history(seed: number) {
  const pick = seededRandom(seed)
  const chance = (percent: number) => pick(100) < percent
  const any = <T>(values: readonly T[]): T | undefined => values[pick(values.length)]
  const server = new FakeServer()
  const { drive, failAt } = fragile(
    await driveOn(seed % 10 === 0 ? 'node:sqlite' : 'better-sqlite3', directories.make()),
  )
  // Every run of a seed is the same, ids and keys included.
  let now = 1_000_000
  const fixed = {
    clock: () => ++now,
    random: (bytes: Uint8Array) =>
      void bytes.forEach((_, at) => {
        bytes[at] = pick(256)
      }),
  }
  let device = openOn(drive, server, models, fixed)
  let real = 0
  let mismatches = 0
  const watch = () =>
    device.parts.events.listen(event => {
      if (event.kind === 'repaired' || (event.kind === 'resync' && event.reason === 'checksum')) mismatches++
    })
  watch()
  let calm = false
  server.decide = ({ operation }): Decision => {
    if (!calm && chance(12)) return { status: any(['refused', 'conflict'] as const) ?? 'refused' }
    const link = operation === 'create' && chance(70) ? { link: `${chance(5) ? 'shared' : `real${++real}`}` } : {}
    return { ...link, ...(!calm && chance(15) && { queue: true }) }
  }
  const edits: Edit[] = []
  const marked = (name: string): Attributes => ({
    ...attributes(name),
    [name === 'Owner' ? 'name' : 'note']: `edit ${edits.length}`,
  })
  const attributes = (name: string): Attributes => {
    const ids = (model: string) =>
      device.device
        .find(model)
        ?.read(EVERYTHING)
        .map(({ object }) => object) ?? []
    const owner = any(ids('Owner'))
    const parent = any(ids('Child'))
    if (name === 'Owner') return { name: `name ${pick(4)}`, ...(chance(50) && { n: pick(3) }) }
    return {
      ...(owner !== undefined && chance(70) && { owner }),
      ...(name === 'Child' && parent !== undefined && chance(30) && { parent }),
      note: `note ${pick(4)}`,
    }
  }
  /** By itself, or with another one that a query finds. */
  const remove = (records: Records, object: string): readonly string[] => {
    if (edits.length % 2 === 0) return records.destroy(object) ? [object] : []
    const condition = { kind: 'compare', attribute: 'object', operator: '>=', value: object } as const
    const query = { condition, order: [{ attribute: 'object', direction: 'ASC' }], limit: 2 } as const
    const gone = records.read(query).map(row => row.object)
    expect(records.destroyAll(query)).toBe(gone.length)
    return gone
  }
  const edit = () => {
    const name = any(NAMES) as string
    const records = device.device.find(name) as Records
    const object = any(records.read(EVERYTHING))?.object
    const before = rowsOf(records)
    if (object === undefined || chance(40)) {
      const wanted = marked(name)
      const made = records.insert(wanted)
      edits.push({ model: name, object: made.object, marker: `edit ${edits.length}`, ends: false })
      expect(rowsOf(records)).toEqual({ ...before, [made.object]: made.attributes })
    } else if (chance(65)) {
      const changed = records.change(object, marked(name))
      edits.push({ model: name, object, marker: `edit ${edits.length}`, ends: false })
      expect(rowsOf(records)).toEqual({ ...before, [object]: changed?.attributes })
    } else {
      const gone = remove(records, object)
      for (const one of gone) edits.push({ model: name, object: one, marker: '', ends: true })
      expect(rowsOf(records)).toEqual(Object.fromEntries(Object.entries(before).filter(([one]) => !gone.includes(one))))
    }
  }
  const backend = () => {
    const name = any(NAMES) as string
    const known = Object.keys(server.live(name))
    const id = chance(40) ? `b${pick(6)}` : (any(known) ?? 'b0')
    server.write(name, {
      [id]: chance(25) ? null : name === 'Owner' ? { name: `theirs ${pick(4)}` } : { note: `theirs ${pick(4)}` },
    })
  }
  const reopen = async () => {
    failAt(undefined)
    await device.sdk.close()
    device = openOn(drive, server, models, fixed)
    watch()
  }
  let killed = false
  const failures: unknown[] = []
  // A throw inside a request would pass for a broken network.
  const editDuringSync = () => {
    try {
      edit()
    } catch (failure) {
      if (!killed) failures.push(failure)
    }
  }
  const sync = async () => {
    device.sdk.pageSize = 1 + pick(4)
    server.outcomesAPage = calm ? 1000 : 1 + pick(3)
    server.before = () => {
      if (!calm && chance(8)) throw new TypeError('no network')
      return undefined
    }
    server.after = () => {
      if (!calm && chance(10)) throw new TypeError('the answer is lost')
      if (!calm && chance(15)) backend()
      if (!calm && !killed && chance(15)) editDuringSync()
    }
    if (!calm && chance(15)) {
      let left = pick(12)
      const where = any(['COMMIT', 'outbox', 'source', 'first', 'removed', 'link'])
      failAt(sql => {
        killed ||= sql.includes(where ?? 'COMMIT') && left-- === 0
        return killed
      })
    }
    await device.sdk.sync(chance(30) ? any(NAMES) : undefined).catch(() => {})
  }
  let back = () => {}
  const backUp = () => {
    const all = NAMES.map(name => server.backup(name))
    back = () => {
      for (const restore of all) restore()
    }
  }
  // The app always sees the server's row with its own changes laid over, whatever came in between.
  const whole = () => {
    for (const { outbox } of device.parts.registry.allScopes()) expect(outbox.count()).toBe(outbox.all().length)
    for (const model of device.parts.registry.all()) {
      const { name, scope, rows, definition } = model
      const undecided = scope.outbox.ofModel(name)
      for (const object of scope.outbox.objects(name)) {
        const { serverRow, entries } = stateOf(model, object)
        expect(entries).toEqual(undecided.filter(entry => entry.object === object))
        const laid = overlay(serverRow?.attributes ?? null, entries)
        // What a frozen model does not declare stays beneath.
        const seen = laid && definition.freezed ? onlyDeclared({ laid })['laid'] : laid
        expect(rows.get(object)?.attributes ?? null).toEqual(seen)
      }
    }
  }
  await device.sdk.login('ada', 'ada')
  for (let step = 0; step < STEPS; step++) {
    const dice = pick(1000) / 10
    if (chance(4)) backUp()
    whole()
    if (dice < 45) edit()
    else if (dice < 62) backend()
    else if (dice < 90) {
      await sync()
      if (killed || chance(20)) await reopen()
      failAt(undefined)
      killed = false
      if (failures.length > 0) throw failures[0]
    } else if (dice < 90.5) back()
    else if (dice < 92) server.drop(any(NAMES) as string, { b1: { note: 'new' }, b9: { note: 'new' } })
    else if (dice < 94) server.nonce = server.id('n')
    else if (dice < 95) server.clients.clear()
    else for (const name of NAMES) server.decideQueued(name)
  }
  calm = true
  for (let turn = 0; turn < 8; turn++) {
    for (const name of NAMES) server.decideQueued(name)
    await device.sdk.sync().catch(() => {})
  }
  const displayed = Object.fromEntries(NAMES.map(name => [name, rowsOf(device.device.find(name) as Records)]))
  const kept = Object.fromEntries(
    models.map(({ name, freezed }) => [name, freezed ? onlyDeclared(server.live(name)) : server.live(name)]),
  )
  const dangling = Object.values(kept).flatMap(objects =>
    Object.values(objects).filter(
      ({ owner, parent }) => server.linked.has(String(owner)) || server.linked.has(String(parent)),
    ),
  )
  const undecided = NAMES.filter(name => device.device.find(name)?.anyChanges())
  const realIdOf = (model: string, object: string) =>
    device.parts.registry.get(model)?.scope.links.real(model, object) ?? object
  const reported = JSON.stringify([server.pushes, device.sdk.refused()])
  const lost = edits.filter((edit, at) => {
    const later = edits
      .slice(at + 1)
      .some(
        other =>
          other.model === edit.model && realIdOf(other.model, other.object) === realIdOf(edit.model, edit.object),
      )
    return !edit.ends && !later && !reported.includes(`"${edit.marker}"`)
  })
  await device.sdk.close()
  return { displayed, kept, undecided, lost, dangling, mismatches }
}

/** A local change and the text it can be known by; `ends`: it removed the object. */
interface Edit {
  readonly model: string
  readonly object: string
  readonly marker: string
  readonly ends: boolean
}

const rowsOf = (records: Records) =>
  Object.fromEntries(records.read(EVERYTHING).map(({ object, attributes }) => [object, attributes]))
const onlyDeclared = (objects: Record<string, Attributes>) =>
  Object.fromEntries(
    Object.entries(objects).map(([id, { name, n }]) => [
      id,
      { ...(name !== undefined && { name }), ...(n !== undefined && { n }) },
    ]),
  )

/** Random histories of one device and its server from seed `GODWIT_FIRST` (default 1) on; `GODWIT_HISTORIES` overrides the count. */
export function describeAnyHistory(count: number): void {
  const histories = Number(process.env['GODWIT_HISTORIES'] ?? count)
  describe('after any history', () => {
    test(`the device shows what the server has, and nothing is undecided (${histories} histories)`, async () => {
      for (let seed = FIRST; seed < FIRST + histories; seed++) {
        const { kept, ...rest } = await history(seed)
        expect({ seed, ...rest }).toEqual({
          seed,
          undecided: [],
          lost: [],
          dangling: [],
          mismatches: 0,
          displayed: kept,
        })
      }
    }, 1_200_000)
  })
}
