import { type Mutation, parametersName, sourceKeyText } from '@godwit/protocol'
import { expect } from '@jest/globals'
import { copiesOf } from '../copies/copy-state.js'
import { EVERYTHING } from '../query/query-tree.js'
import { checksumOf } from '../testing/fake/collection.js'
import type { Decision } from '../testing/fake/decide.js'
import { fakePartitions } from '../testing/fake/fake-partitions.js'
import { FakeServer } from '../testing/fake-server.js'
import { definition, driveOn, type OpenedDevice, openOn } from '../testing/open-device.js'
import { seededRandom } from '../testing/seeded-numbers.js'

const Task = definition('Task', { attributes: { project: 'String', title: 'String' }, by: ['project'] })
const PROJECTS = ['7', '8', '9']

interface TaskRow {
  readonly project: string
  readonly title: string
}

/** One device, a server with three partitions, and a backend, under random changes of all three. */
export class PartitionHistory {
  readonly #server = new FakeServer()
  readonly #partitions = fakePartitions(['project'], [{ project: '7' }])
  readonly #random: () => number
  readonly #directory: string
  /** The objects of the backend. */
  readonly #backend = new Map<string, TaskRow>()
  readonly #executed = new Map<string, number>()
  readonly log: string[] = []
  #device: OpenedDevice | undefined
  #failing = 0
  #made = 0

  constructor(seed: number, directory: string) {
    const random = seededRandom(seed)
    this.#random = () => random(1_000_000_000) / 1_000_000_000
    this.#directory = directory
    this.#server.partitions.set('Task', this.#partitions)
    this.#server.decide = mutation => this.#decide(mutation)
    const mayFail = (): undefined => {
      if (this.#random() < this.#failing) throw new TypeError('fetch failed')
    }
    this.#server.before = request => (request.includes('/app/v1/') ? mayFail() : undefined)
    this.#server.after = request => (request.includes('/app/v1/') ? mayFail() : undefined)
  }

  async run(steps: number): Promise<void> {
    for (const project of PROJECTS) this.#write(`first-${project}`, { project, title: 'first' })
    await this.#open()
    await this.#opened.sdk.login('ada', 'ada')
    for (let step = 0; step < steps; step++) await this.#step()
    await this.#settle()
    this.#judge()
    await this.#opened.sdk.close()
  }

  get #opened(): OpenedDevice {
    if (!this.#device) throw new Error('expected an open device')
    return this.#device
  }

  get #records() {
    const records = this.#opened.device.find('Task')
    if (!records) throw new Error('expected the model Task')
    return records
  }

  async #open(): Promise<void> {
    this.#device = openOn(await driveOn('better-sqlite3', this.#directory), this.#server, [Task])
    this.#device.sdk.pageSize = 2
  }

  #pick<T>(all: readonly T[]): T | undefined {
    return all[Math.floor(this.#random() * all.length)]
  }

  #project(): string {
    return this.#pick(PROJECTS) ?? '7'
  }

  /** Writes an object in the backend, which tells the server at once. */
  #write(id: string, row: TaskRow | null): void {
    const before = this.#backend.get(id)
    if (row) this.#backend.set(id, row)
    else this.#backend.delete(id)
    if (before && before.project !== row?.project) this.#server.write(keyOf(before.project), { [id]: null })
    if (row) this.#server.write(keyOf(row.project), { [id]: { ...row } })
  }

  /** The source: an object is changed only through the partition in which it is. */
  #decide({ key, operation, object, attributes = {} }: Mutation): Decision {
    const partition = this.#server.pushes.at(-1)?.push.parameters?.['project']
    if (this.#random() < 0.1) return { status: 'refused' }
    const before = this.#backend.get(object)
    if (operation !== 'create' && before?.project !== partition) return operation === 'delete' ? {} : { status: 'gone' }
    this.#executed.set(key, (this.#executed.get(key) ?? 0) + 1)
    if (operation === 'delete') {
      this.#backend.delete(object)
      return {}
    }
    const link = operation === 'create' ? `real-${++this.#made}` : undefined
    const row = { project: '7', title: '', ...before, ...attributes } as TaskRow
    const id = link ?? object
    if (row.project === partition) {
      this.#backend.set(id, row)
      return { ...(link && { link }), attributes: { ...row } }
    }
    this.#backend.set(id, row)
    this.#server.write(keyOf(row.project), { [id]: { ...row } })
    return { ...(link && { link }), moved: { project: row.project }, attributes: { ...row } }
  }

  async #step(): Promise<void> {
    const dice = this.#random()
    if (dice < 0.4) this.#change()
    else if (dice < 0.6) this.#changeBackend()
    else if (dice < 0.7) this.#changeAccess()
    else if (dice < 0.73) {
      this.#say('restart')
      await this.#opened.sdk.close()
      await this.#open()
    } else if (dice < 0.75) {
      this.#say('another client')
      this.#server.clients.clear()
    } else if (dice < 0.78) {
      const project = this.#project()
      this.#say('drop', project)
      const rows = [...this.#backend].filter(([, row]) => row.project === project)
      this.#server.drop(keyOf(project), Object.fromEntries(rows.map(([id, row]) => [id, { ...row }])))
    } else {
      this.#failing = this.#pick([0, 0.1, 0.3]) ?? 0
      this.#say('sync', this.#failing)
      await this.#opened.sdk.sync().catch(() => {})
      this.#failing = 0
      this.#expectOwnSums()
    }
  }

  #change(): void {
    const dice = this.#random()
    const row = this.#pick(this.#records.read(EVERYTHING))
    const title = `t${++this.#made}`
    if (dice < 0.25) {
      const project = this.#project()
      const { object } = this.#records.insert({ project, title })
      this.#say('create', object, project)
    } else if (dice < 0.8 && row) {
      const moves = this.#random() < 0.5
      const changes = { title, ...(moves && { project: this.#project() }) }
      this.#say('update', row.object, changes)
      this.#records.change(row.object, changes)
      expect(this.#records.get(row.object)?.attributes).toMatchObject(changes)
    } else if (row) {
      this.#say('delete', row.object)
      this.#records.destroy(row.object)
    }
  }

  #changeBackend(): void {
    const [id, row] = this.#pick([...this.#backend]) ?? []
    const dice = this.#random()
    const title = `b${++this.#made}`
    if (dice < 0.3 || !id || !row) this.#write(`back-${this.#made}`, { project: this.#project(), title })
    else if (dice < 0.6) this.#write(id, { ...row, title })
    else if (dice < 0.9) this.#write(id, { title, project: this.#project() })
    else this.#write(id, null)
    this.#say('backend', dice, id ?? '')
  }

  #changeAccess(): void {
    const project = this.#project()
    const dice = this.#random()
    this.#say('access', dice, project)
    if (dice < 0.3) this.#opened.sdk.subscribe('Task', { project })
    else if (dice < 0.5) this.#opened.sdk.subscribe('Task', { project }).unsubscribe()
    else if (dice < 0.65) this.#partitions.denied.add(parametersName({ project }))
    else if (dice < 0.85) this.#partitions.denied.delete(parametersName({ project }))
    else this.#partitions.listed = PROJECTS.filter(() => this.#random() < 0.5).map(one => ({ project: one }))
  }

  /** Everything is allowed and arrives. */
  async #settle(): Promise<void> {
    this.#partitions.denied.clear()
    for (let sync = 0; sync < 8; sync++) await this.#opened.sdk.sync()
  }

  #wanted(): readonly string[] {
    return this.#opened.sdk.subscriptions().map(({ parameters }) => String(parameters['project']))
  }

  /** Each copy's checksum is that of its memberships. */
  #expectOwnSums(): void {
    const { registry } = this.#opened.parts
    const model = registry.get('Task')
    for (const { copy, state, scope, rows } of model ? copiesOf(model) : []) {
      const live = new Map<string, { version: number; attributes: object }>()
      const add = (object: string, version: number) => {
        if (version > 0) live.set(object, { version, attributes: {} })
      }
      for (const [object, version] of rows.ledBy(copy.id)) add(object, version)
      for (const [object, version] of scope.memberships.inCopy(copy.id)) add(object, version)
      for (const entry of scope.outbox.ofModel('Task')) {
        const beneath = entry.serverRow
        const leading = rows.stamp(entry.object)?.copy ?? scope.leads.get('Task', entry.object)
        if (beneath && !beneath.dead && leading === copy.id) add(entry.object, beneath.version)
      }
      expect(state.get().checksum).toBe(checksumOf({ rows: live as never }))
    }
  }

  #judge(): void {
    const { sdk } = this.#opened
    const wanted = this.#wanted()
    expect(sdk.changes()).toEqual([])
    for (const project of wanted) {
      const copy = copiesOf(this.#opened.parts.registry.get('Task') as never).find(
        one => one.copy.parameters['project'] === project,
      )
      const there = this.#server.partition('Task', { project })
      expect(there.live()).toEqual(this.#rowsIn([project]))
      expect(copy?.state.get().checksum).toBe(checksumOf(there))
    }
    const shown = Object.fromEntries(
      this.#records.read(EVERYTHING).map(({ object, attributes }) => [object, attributes]),
    )
    expect(shown).toEqual(this.#rowsIn(wanted))
    for (const count of this.#executed.values()) expect(count).toBe(1)
  }

  #rowsIn(projects: readonly string[]): { readonly [id: string]: TaskRow } {
    return Object.fromEntries([...this.#backend].filter(([, { project }]) => projects.includes(project)))
  }

  #say(...words: readonly unknown[]): void {
    this.log.push(words.map(word => (typeof word === 'string' ? word : JSON.stringify(word))).join(' '))
  }
}

const keyOf = (project: string): string => sourceKeyText({ source: 'Task', parameters: { project } })
