import { afterAll, expect, test } from '@jest/globals'
import { ChangedCopy, type Edits } from './changed-copy.js'

const TABLE = 'packages/model/src/definition/attribute-types.ts'
const TEST_FILE = 'packages/model/src/typed/day.test.ts'

/** The edits that `ARCHITECTURE.md` lists for a new attribute type. */
const EDITS: Edits = {
  [TABLE]: [
    ['  /** A Date; ISO 8601', '  /** A day of the calendar, such as `2026-01-31`. */\n  day: string\n'],
    ["'integer' | 'float' | 'timestamp'\n", "'day' | "],
    [
      '  Enum: {\n',
      `  Day: {
    comparability: 'ordered',
    empty: () => '1970-01-01',
    fits: value => typeof value === 'string' && /^\\d{4}-\\d{2}-\\d{2}$/.test(value) && utcText(value) !== undefined,
  },
`,
    ],
  ],
}

const TEST = `import { afterEach, expect, test } from '@jest/globals'
import { openSdk } from '../node.js'
import { temporaryDirectories } from '../testing/open-device.js'
import { defineModel } from './define-model.js'
import { t } from './t.js'

const directories = temporaryDirectories()
afterEach(() => directories.removeAll())

const Shift = defineModel('Shift', {
  attributes: { on: t.day(), until: t.day().optional(), since: t.day().default('2020-01-01') },
  indexes: { byDay: ['on'] },
  schemaVersion: 2,
})

test('days are checked, kept, compared, ordered, indexed and shown, where others were kept too', async () => {
  const directory = directories.make()
  const Older = defineModel('Shift', { attributes: { on: t.string() }, schemaVersion: 1 })
  const older = await openSdk({ directory, models: { Shift: Older } })
  for (const on of ['2026-02-28', 'some day']) older.models.Shift.create({ on })
  await older.close()

  const sdk = await openSdk({ directory, models: { Shift } })
  const shifts = sdk.models.Shift
  const { id } = shifts.create({ on: '2024-02-29', until: '2024-03-01' })
  const on: string | undefined = shifts.get(id)?.on
  expect(on).toBe('2024-02-29')
  expect(() => shifts.create({ on: '2026-02-29' })).toThrow('expected a value of the type Day, got "2026-02-29"')
  // @ts-expect-error It is text.
  expect(() => shifts.create({ on: 5 })).toThrow('expected a value of the type Day')
  expect(() => defineModel('Bad', { attributes: { on: t.day().default('tomorrow') } })).toThrow('fits its type')
  expect(shifts.find({ order: { on: 'asc' } }).map(row => row.on)).toEqual(['1970-01-01', '2024-02-29', '2026-02-28'])
  expect(shifts.find({ conditions: { on: { '>': '2000-01-01', '<': '2025-01-01' } } })).toEqual([
    { id, on: '2024-02-29', until: '2024-03-01', since: '2020-01-01' },
  ])
  // @ts-expect-error It takes no pattern.
  expect(() => shifts.find({ conditions: { on: { like: '2024%' } } })).toThrow('expected one of')
  const query = 'SELECT "on" FROM "Shift" WHERE "until" > ?'
  expect(sdk.sql.all(query, ['2024-01-01'])).toEqual([{ on: '2024-02-29' }])
  await sdk.close()
})
`

const copy = new ChangedCopy()
afterAll(() => copy.remove())

test('an attribute type touches one file, and its test', () => {
  copy.change(EDITS, { [TEST_FILE]: TEST })
  copy.checkTypes('packages/model')
  copy.test(TEST_FILE, 'packages/model/src/definition/attribute-types.test.ts')
  expect(copy.touched().toSorted()).toEqual([TABLE, TEST_FILE])
}, 900_000)
