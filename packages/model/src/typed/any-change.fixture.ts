import type { Attributes, AttributeValue, Mutation } from '@godwit/protocol'
import { afterAll, expect, test } from '@jest/globals'
import { composeSdk } from '../sdk/open-sdk.js'
import type { SdkParts } from '../sdk/parts.js'
import { Sdk } from '../sdk/sdk.js'
import { FakeServer } from '../testing/fake-server.js'
import { ManualTimers } from '../testing/manual-timers.js'
import { driveOn, temporaryDirectories } from '../testing/open-device.js'
import { seededRandom } from '../testing/seeded-numbers.js'
import { checkAgreement } from './agreement.fixture.js'
import { anySchema, anyValue, type Schema, VALUES, WIRE_NAMES } from './any-schema.fixture.js'
import { defineModel } from './define-model.js'
import type { Model } from './infer.js'
import { t } from './t.js'
import type { AnyTypedModel } from './typed-model.js'

const FIRST = Number(process.env['GODWIT_FIRST'] ?? 1)
const STEPS = 12
const MODELS = { Bag: 'bag', Fixed: 'fixed' } as const
type Name = keyof typeof MODELS
const NAMES = Object.keys(MODELS) as Name[]

const City = defineModel('City', {
  sync: 'incremental',
  attributes: { name: t.string().default('somewhere') },
  textSearch: ['name'],
})

const directories = temporaryDirectories()
afterAll(() => directories.removeAll())

interface Changes {
  readonly [attribute: string]: unknown
}
type Row = Readonly<Record<string, unknown>> & { readonly id: string }

/** Records, by object and attribute, whether the app changed a value and all values that were ever stored. */
class Ledger {
  readonly #changed = new Set<string>()
  readonly #stored = new Set<string>()

  change(model: string, id: string, name: string): void {
    this.#changed.add(`${model} ${id} ${name}`)
  }

  store(model: string, id: string, attributes: Attributes): void {
    for (const [name, value] of Object.entries(attributes)) this.#stored.add(keyOf(model, id, name, value))
  }

  /** Throws for a change that the app did not make, and for a former value that was never stored. */
  check(model: string, ids: readonly string[], { operation, attributes = {}, was = {} }: Mutation): void {
    if (operation !== 'update') return
    for (const name of Object.keys(attributes))
      if (!ids.some(id => this.#changed.has(`${model} ${id} ${name}`)))
        throw new Error(`${model} ${ids[0]}: ${name} was sent, and the app did not change it`)
    for (const [name, value] of Object.entries(was))
      if (!ids.some(id => this.#stored.has(keyOf(model, id, name, value))))
        throw new Error(`${model} ${ids[0]}: ${name} was never ${JSON.stringify(value)}`)
  }
}

const keyOf = (model: string, id: string, name: string, value: AttributeValue | undefined): string =>
  `${model} ${id} ${name} ${JSON.stringify(value)}`

/** Runs a random history: the server sends any values, the app changes rows and opens in several versions. After each step all queries must agree. */
async function history(seed: number): Promise<void> {
  const pick = seededRandom(seed)
  const chance = (percent: number) => pick(100) < percent
  const any = <T>(values: readonly T[]): T => values[pick(values.length)] as T
  const server = new FakeServer()
  const drive = await driveOn(seed % 4 === 0 ? 'node:sqlite' : 'better-sqlite3', directories.make())
  const ledger = new Ledger()
  let real = 0
  server.decide = ({ operation }) => {
    if (chance(8)) return { status: any(['refused', 'conflict'] as const) }
    return operation === 'create' && chance(70) ? { link: `real${++real}` } : {}
  }
  const schemaOf = (name: Name, schemaVersion: number, migrate?: unknown): Schema =>
    anySchema(pick, name, { storage: MODELS[name], schemaVersion, ...(migrate !== undefined && { migrate }) })
  let schemas = NAMES.map(name => schemaOf(name, 0))
  let parts: SdkParts<object> | undefined
  let sdk: Sdk<object> | undefined
  let live: (() => void)[] = []
  const models = () => sdk?.models as unknown as { readonly [name: string]: AnyTypedModel }
  const open = () => {
    const opened: { readonly [name: string]: Model } = {
      City,
      ...Object.fromEntries(schemas.map(({ model }) => [model.name, model])),
    }
    const quiet = { timers: new ManualTimers(), sendWrites: 'with-sync', eventStream: false } as const
    parts = composeSdk<object>(drive, {
      server: 'http://sync.test',
      fetch: server.fetch,
      ...quiet,
      models: opened as never,
    })
    sdk = new Sdk(parts)
    live = schemas.map(watch)
  }
  /** Starts a live query that runs until the end of the history. */
  const watch = ({ model, declared, searched }: Schema): (() => void) => {
    const own = models()[model.name] as AnyTypedModel
    const key = any([...declared.keys()].filter(one => declared.get(one)?.kind !== 'json'))
    const displayed = key === undefined ? undefined : (any(own.find()) as Row | undefined)?.[key]
    const options = {
      ...(key !== undefined && chance(60) && displayed !== undefined && { conditions: { [key]: displayed } }),
      ...(key !== undefined && chance(50) && { order: { [key]: 'desc' } }),
      ...(declared.has('cityId') && chance(70) && { with: { city: true } }),
      ...(searched.length > 0 && chance(20) && { search: 'x' }),
    }
    let last: readonly object[] = []
    own.observe(options, rows => {
      last = rows
    })
    return () =>
      expect({ model: model.name, options, last }).toEqual({ model: model.name, options, last: own.find(options) })
  }
  const backend = () => {
    const name = any([...NAMES, 'City'])
    const attributesOf = (): Attributes =>
      name === 'City'
        ? { ...(chance(80) && { name: any(VALUES) }) }
        : Object.fromEntries(WIRE_NAMES.filter(() => chance(60)).map(one => [one, any(VALUES)]))
    const known = [...Object.keys(server.live(name)), ...(name === 'City' ? ['c1', '12'] : ['1', '2', '10', 'a', 'B'])]
    const objects = Object.fromEntries([1, 2, 3].map(() => [any(known), chance(15) ? null : attributesOf()]))
    for (const [id, attributes] of Object.entries(objects)) if (attributes) ledger.store(name, id, attributes)
    server.write(name, objects)
  }
  const changesOf = ({ declared }: Schema, isNew: boolean): Changes =>
    Object.fromEntries(
      [...declared].flatMap(([key, one]) => {
        if (isNew ? one.presence !== 'required' && chance(50) : chance(70)) return []
        return [[key, !isNew && one.presence !== 'required' && chance(20) ? null : anyValue(pick, one)]]
      }),
    )
  const note = ({ model, declared }: Schema, id: string, changes: Changes) => {
    for (const key of Object.keys(changes)) ledger.change(model.name, id, declared.get(key)?.wireName ?? key)
  }
  const edit = (schema: Schema) => {
    const own = models()[schema.model.name] as AnyTypedModel
    const row = any(own.find()) as Row | undefined
    if (!row || chance(25)) return void own.create(changesOf(schema, true))
    if (chance(15)) return void own.destroy(row.id)
    const changes = changesOf(schema, false)
    note(schema, row.id, changes)
    const updated = own.update(row.id, changes)
    // The definition determines what is shown for a removed value.
    const kept = Object.entries(changes).filter(([, value]) => value !== null)
    const left = Object.entries(row).filter(([key]) => !(key in changes))
    expect(updated).toMatchObject(Object.fromEntries([...left, ...kept]))
  }
  /** Saves all values of a row, as a form does. */
  const saveAll = ({ model }: Schema) => {
    const own = models()[model.name] as AnyTypedModel
    const before = sdk?.changes()
    for (const { id, ...displayed } of own.find() as readonly Row[]) own.update(id, displayed)
    expect(sdk?.changes()).toEqual(before)
  }
  const realOf = (model: string, id: string) => parts?.registry.get(model)?.scope.links.real(model, id)
  const sync = async () => {
    const from = server.pushes.length
    await sdk?.sync()
    for (const { source, push } of server.pushes.slice(from))
      for (const mutation of push.mutations) {
        const temporary = parts?.registry.get(source)?.scope.links.temporaries(source, mutation.object) ?? []
        const ids = [mutation.object, realOf(source, mutation.object), ...temporary].filter(id => id !== undefined)
        ledger.check(source, ids, mutation)
        for (const id of ids) ledger.store(source, id, mutation.attributes ?? {})
      }
  }
  const migrate = async () => {
    await sdk?.close()
    const at = pick(NAMES.length)
    const [old, name] = [schemas[at] as Schema, NAMES[at] as Name]
    const version = ++versions[name]
    let schema = old
    const inMigration = (_: number, __: number, database: MigrationOf) => {
      for (const { id } of [...database.objects()]) {
        if (chance(50)) continue
        const changes = changesOf(schema, false)
        note(schema, id, changes)
        database.change(id, changes)
      }
    }
    schema = schemaOf(name, version, chance(40) ? inMigration : undefined)
    schemas = schemas.map((one, index) => (index === at ? schema : one))
    open()
  }
  const versions: Record<Name, number> = { Bag: 0, Fixed: 0 }
  open()
  await sdk?.login('ada', 'ada')
  for (let step = 0; step < STEPS; step++) {
    const dice = pick(100)
    if (dice < 30) backend()
    else if (dice < 55) edit(any(schemas))
    else if (dice < 65) saveAll(any(schemas))
    else if (dice < 85) await sync()
    else await migrate()
    for (const isLive of live) isLive()
    for (const schema of schemas) checkAgreement(schema, models(), (sql, values) => sdk?.sql.all(sql, values) ?? [])
  }
  await sync()
  await sdk?.close()
}

interface MigrationOf {
  objects(): Iterable<{ readonly id: string }>
  change(id: string, changes: Changes): boolean
}

/** Random histories of an app whose models change, from seed `GODWIT_FIRST` (default 1) on; `GODWIT_HISTORIES` overrides the count. */
export function testAnyChange(count: number): void {
  const histories = Number(process.env['GODWIT_HISTORIES'] ?? count)
  test(`queries match what rows show, for any values and declarations (${histories} histories)`, async () => {
    for (let seed = FIRST; seed < FIRST + histories; seed++)
      await history(seed).catch((error: unknown) => {
        throw new Error(`history ${seed}`, { cause: error })
      })
  }, 1_200_000)
}
