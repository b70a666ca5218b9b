import type { Attributes, AttributeValue } from '@godwit/protocol'
import { afterEach, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { withoutNulls } from '../definition/attribute-values.js'
import type { Definition } from '../definition/definition.js'
import { EVERYTHING } from '../query/query-tree.js'
import { FakeServer } from '../testing/fake-server.js'
import { definition, driveOn, type OpenedDevice, openOn, temporaryDirectories } from '../testing/open-device.js'
import type { Records } from './records.js'

const directories = temporaryDirectories()
const opened: OpenedDevice[] = []
afterEach(async () => {
  for (const { sdk } of opened.splice(0)) await sdk.close()
  directories.removeAll()
})

async function open(one: Definition, server = new FakeServer()): Promise<OpenedDevice & { readonly records: Records }> {
  let made = 0
  const fixed = { clock: () => ++made, random: (bytes: Uint8Array) => void bytes.fill(0) }
  const device = openOn(await driveOn('better-sqlite3', directories.make()), server, [one], fixed)
  opened.push(device)
  return { ...device, records: device.device.find(one.name) as Records }
}

const attributes = { a: 'String', b: 'String', n: 'Integer', f: 'Float', is: 'Boolean' } as const
const MODELS = [
  definition('M', { attributes }),
  definition('M', { storage: 'fixed', freezed: true, attributes }),
  definition('M', { attributes: { a: 'String' }, belongsTo: { b: 'M' } }),
]

const id = fc.constantFrom('s1', 's2', 's3', 'c1', 'c2')
const text = fc.constantFrom('x', 'y', 's1', 'c1')
const edit = fc.oneof(
  fc.record({ do: fc.constant('insert' as const), object: id, a: text, b: text }),
  fc.record({ do: fc.constant('change' as const), object: id, a: text, b: text }),
  fc.record({ do: fc.constant('destroy' as const), object: id, a: text, b: text }),
  fc.record({ do: fc.constant('send' as const), object: id, a: text, b: text }),
)

async function apply(
  { records, sdk }: Awaited<ReturnType<typeof open>>,
  edits: readonly (typeof edit extends fc.Arbitrary<infer Edit> ? Edit : never)[],
): Promise<void> {
  for (const { do: what, object, a, b } of edits) {
    const more = records.definition.attributes.has('n') && { n: a.length, f: null, is: false }
    if (what === 'send') await sdk.sync()
    else if (what === 'destroy') records.destroy(object)
    else if (what === 'change') records.change(object, { a, b, ...(a === 'y' && more) })
    else if (!records.get(object)) records.insert({ a, b, ...more }, object)
  }
}

/** Objects with values of each type, including values that do not match their declared type. */
const OF_THE_SERVER = {
  s1: { a: 'x', b: 'y', n: 1.5, f: 0.1 + 0.2, is: true, undeclared: { of: [null, { x: null }] } },
  s2: { a: 'y', n: 2 ** 60, f: 'text', is: 'text', '"odd\\': '\ud800' },
  s3: { a: 'x', n: '12', f: 1e300 / 3, is: false },
}

/** Opens a device with three objects from the server and undecided edits. */
async function edited(model: Definition, edits: Parameters<typeof apply>[1]) {
  const server = new FakeServer()
  const device = await open(model, server)
  await device.sdk.login('ada', 'ada')
  server.write('M', OF_THE_SERVER)
  await device.sdk.sync()
  server.decide = () => ({ queue: true })
  await apply(device, edits)
  return device
}

/** Returns all stored data of a model and its changes. */
const contents = ({ parts: { database } }: OpenedDevice, { definition: { storage } }: Records): unknown =>
  [`"user"."${storage}_M" ORDER BY seq`, 'user.outbox ORDER BY object, entry', 'user.named ORDER BY 1, 2'].map(table =>
    database.prepare(`SELECT * FROM ${table}`).all(),
  )

test.each(MODELS.map((model, number) => [number, model] as const))(
  'removing all rows of a query equals removing each, model %i',
  async (_, model) => {
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { maxLength: 8 }), text, async (edits, value) => {
        const [all, each] = [await edited(model, edits), await edited(model, edits)]
        const query = { ...EVERYTHING, condition: { kind: 'compare', attribute: 'a', operator: '=', value } } as const
        const found = all.records.read(query)
        expect(all.records.destroyAll(query)).toBe(found.length)
        each.sdk.transaction(() => {
          for (const { object } of found) each.records.destroy(object)
        })
        expect(all.records.read(EVERYTHING)).toEqual(each.records.read(EVERYTHING))
        expect(meaning(contents(all, all.records))).toEqual(meaning(contents(each, each.records)))
        for (const { sdk } of opened.splice(0)) await sdk.close()
      }),
      { numRuns: Number(process.env['GODWIT_ROUNDS'] ?? 8) },
    )
  },
)

const odd = fc.oneof(fc.constantFrom<AttributeValue>('', 'a\0b', '"', null), fc.string({ unit: 'binary' }))
const made = fc.record(
  {
    a: odd,
    b: fc.constantFrom('s1', 'c1', 'none'),
    n: fc.constantFrom(0, -1, 2 ** 53, 2 ** 62, 1e300),
    f: fc.double({ noNaN: true, noDefaultInfinity: true }).filter(one => !Object.is(one, -0)),
    is: fc.boolean(),
    undeclared: fc.constantFrom<AttributeValue>(0.1 + 0.2, [null, { x: null }], true),
  },
  { requiredKeys: [] },
)

test.each(MODELS.map((model, number) => [number, model] as const))(
  'creating many rows at once equals creating each, model %i',
  async (_, model) => {
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { maxLength: 3 }), fc.array(made, { maxLength: 5 }), async (edits, rows) => {
        const [all, each] = [await edited(model, edits), await edited(model, edits)]
        const given = rows.map(({ undeclared, ...row }) =>
          model.freezed || undeclared === undefined ? row : { ...row, undeclared },
        )
        expect(all.records.insertMany(given)).toEqual(given.map(one => each.records.insert(one)))
        expect(meaning(contents(all, all.records))).toEqual(meaning(contents(each, each.records)))
        expect(all.parts.registry.scopes.user.outbox.all()).toEqual(each.parts.registry.scopes.user.outbox.all())
        for (const { sdk } of opened.splice(0)) await sdk.close()
      }),
      { numRuns: Number(process.env['GODWIT_ROUNDS'] ?? 8) },
    )
  },
)

/** Normalizes stored data: JSON text is parsed, entries are numbered in order, and random keys are removed. */
const meaning = (tables: unknown): unknown =>
  JSON.parse(JSON.stringify(tables), (name, value: unknown) => {
    if (typeof value === 'string' && value.startsWith('{')) {
      const attributes = JSON.parse(value) as Attributes
      return name === 'was' ? withoutNulls(attributes) : attributes
    }
    return ['entry', 'first', 'key'].includes(name) && value !== null ? 0 : value
  })

const TEXTS = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.string({
    unit: fc.constantFrom('*', '?', '[', ']', '^', '"', '\\', '%', '_', '\n', '\0', 'é', '😀', '{', '1', ':'),
    maxLength: 6,
  }),
  fc.constantFrom('true', 'null', '12', '{}', '[1]', 'x'.repeat(12_000)),
)

test.each(['bag', 'fixed'] as const)(
  'a text without an index is found by equal text only, in a %s model',
  async storage => {
    const local = { partition: 'local', syncType: 'none', storage, freezed: storage === 'fixed' } as const
    const { records, sdk } = await open(
      definition('T', { ...local, attributes: { 'a*[b"\\': 'String', other: 'String' } }),
    )
    fc.assert(
      fc.property(fc.array(TEXTS, { minLength: 1, maxLength: 8 }), texts => {
        sdk.transaction(() => {
          records.destroyAll(EVERYTHING)
          const rows = texts.map(value => records.insert({ 'a*[b"\\': value, other: texts[0] as string }))
          for (const value of texts) {
            const query = {
              ...EVERYTHING,
              condition: { kind: 'compare', attribute: 'a*[b"\\', operator: '=', value },
            } as const
            expect(records.read(query)).toEqual(rows.filter((__, at) => texts[at] === value))
          }
        })
      }),
      { numRuns: 100 },
    )
  },
)

test('changes of some attributes leave the others, and update the index', async () => {
  const indexed = { indexes: [{ name: 'byA', attributes: ['a'], unique: false }] }
  const { records } = await open({ ...(MODELS[1] as Definition), ...indexed })
  const { object } = records.insert({ a: 'x', b: 'y', n: 1 })
  const at = (attribute: string, value: string) =>
    records.read({ ...EVERYTHING, condition: { kind: 'compare', attribute, operator: '=', value } }).length
  records.change(object, { b: 'z' })
  expect([at('a', 'x'), at('b', 'z')]).toEqual([1, 1])
  records.change(object, { a: 'w', n: null })
  expect([at('a', 'x'), at('a', 'w')]).toEqual([0, 1])
  expect(records.get(object)?.attributes).toEqual({ a: 'w', b: 'z' })
})
