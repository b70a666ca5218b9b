import { isSyncError } from '@godwit/protocol'
import { afterEach, describe, expect, test } from '@jest/globals'
import { EVERYTHING } from '../query/query-tree.js'
import type { Records } from '../records/records.js'
import { FakeServer } from '../testing/fake-server.js'
import {
  DRIVERS,
  definition,
  driveOn,
  type OpenedDevice,
  openOn,
  temporaryDirectories,
} from '../testing/open-device.js'

/** Names that cause damage if they are interpreted. */
const HOSTILE: readonly string[] = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  ':',
  '*',
  '..',
  '/',
  '%2F',
  '%',
  '_',
  '"',
  "'; DROP TABLE note; --",
  '$.a[0]',
  'a.b',
  '\\',
  '[',
  'a\nb',
  '\0',
  'a\0b',
  'all',
  'first',
  'count',
  '0',
  '😀',
  'x'.repeat(1024),
  '😀'.repeat(256),
]
const TOO_LONG = 'x'.repeat(1025)

const mapOf = <Value>(names: readonly string[], value: (name: string) => Value): Record<string, Value> =>
  Object.fromEntries(names.map(name => [name, value(name)]))
const inherited = (): string =>
  JSON.stringify([Object, Array, Map, Function].map(({ prototype }) => Reflect.ownKeys(prototype).map(String)))
/** Returns true if a name is allowed for models. */
const mayBeModel = (name: string): boolean => !name.includes('\0')
const before = inherited()

const directories = temporaryDirectories()
const opened: OpenedDevice[] = []
afterEach(async () => {
  for (const { sdk } of opened.splice(0)) await sdk.close()
  directories.removeAll()
  expect(inherited()).toBe(before)
})

describe.each(DRIVERS)('hostile names on a device over %s', driver => {
  async function open(definitions: Parameters<typeof openOn>[2] = []) {
    const server = new FakeServer()
    const device = openOn(await driveOn(driver, directories.make()), server, definitions)
    opened.push(device)
    return { ...device, server, records: (name: string) => device.device.find(name) as Records }
  }

  /** Returns the result of a call, or the code of its SyncError. */
  function reported<T>(run: () => T): T | string {
    try {
      return run()
    } catch (error) {
      if (isSyncError(error)) return error.code
      throw error
    }
  }

  const seen = (records: Records) =>
    Object.fromEntries(records.read(EVERYTHING).map(({ object, attributes }) => [object, { ...attributes }]))

  test('as ids, attributes and values of a bag', async () => {
    const { sdk } = await open()
    const Note = sdk.addModel('Note')
    const attributes = mapOf(HOSTILE, name => name)
    const { object } = Note.create(attributes)
    const record = () => Note.findById(object)
    expect({ ...record()?.attributes }).toEqual(attributes)
    for (const name of HOSTILE) {
      expect([record()?.get(name), record()?.has(name)]).toEqual([name, true])
      expect(Note.find('count', { conditions: Object.fromEntries([[name, name]]) })).toBe(1)
      expect(Note.find('count', { conditions: { name, op: '=', value: name } })).toBe(1)
      expect(Note.find('all', { conditions: Object.fromEntries([[name, 'other']]) })).toEqual([])
      record()?.update_attributes(Object.fromEntries([[name, `${name}!`]]))
    }
    expect({ ...record()?.attributes }).toEqual(mapOf(HOSTILE, name => `${name}!`))
    expect(Note.getCount()).toBe(1)
  })

  test('as names of a missing attribute or object, without an inherited value', async () => {
    const { sdk } = await open()
    const Note = sdk.addModel('Note')
    const record = Note.create({ plain: 'x' })
    for (const name of HOSTILE) {
      expect([record.get(name), record.has(name), Note.findById(name), Note.hasChanges(name)]).toEqual([
        undefined,
        false,
        undefined,
        false,
      ])
      expect(Note.find('count', { conditions: Object.fromEntries([[name, 'x']]) })).toBe(0)
      expect(Note.getModelProperty(name)).toBeNull()
    }
    expect(sdk.getModel('__proto__')).toBeNull()
  })

  test('as declared attributes of fixed columns, or refused with a typed error', async () => {
    const { sdk } = await open()
    for (const [index, name] of HOSTILE.entries()) {
      const made = reported(() => {
        const Fixed = sdk.addModel(`Fixed${index}`, model => {
          model.enable('fixed_schema')
          model.setModelProperty(name)
        })
        const { object } = Fixed.create(Object.fromEntries([[name, name]]))
        return Fixed.findById(object)?.get(name)
      })
      expect([name, made]).toEqual([name, name.includes('\0') ? 'definition_invalid' : name])
    }
  })

  test('as names of models', async () => {
    const { sdk } = await open()
    for (const name of HOSTILE) {
      const value = reported(() => {
        const model = sdk.addModel(name, given => given.setSchemaIndex('by name', ['name']))
        model.create({ name })
        expect(sdk.getModel(name)?.model_name).toBe(name)
        return model.find('first')?.get('name')
      })
      expect([name, value]).toEqual([name, mayBeModel(name) ? name : 'name_not_allowed'])
    }
    expect(sdk.addModel('Plain').getCount()).toBe(0)
  })

  test('in what a server sends, receives and removes', async () => {
    const { sdk, server, records } = await open([definition('Visit')])
    await sdk.login('ada', 'ada')
    const sent = mapOf(HOSTILE, id => mapOf(HOSTILE, name => `${name} of ${id}`))
    server.write('Visit', sent)
    await sdk.sync()
    const visits = records('Visit')
    expect(seen(visits)).toEqual(sent)
    for (const id of HOSTILE)
      visits.change(
        id,
        mapOf(HOSTILE, () => 'mine'),
      )
    const made = mapOf(
      HOSTILE,
      name =>
        visits.insert(
          mapOf([name], () => 'new'),
          `made ${[...name].slice(0, 99).join('')}`,
        ).object,
    )
    expect((await sdk.sync()).sources.filter(({ error }) => error)).toEqual([])
    expect(server.live('Visit')).toEqual(seen(visits))
    expect(visits.get('__proto__')?.attributes).toEqual(mapOf(HOSTILE, () => 'mine'))
    for (const id of [...HOSTILE, ...Object.values(made)]) visits.destroy(id)
    await sdk.sync()
    expect([seen(visits), server.live('Visit'), visits.anyChanges()]).toEqual([{}, {}, false])
  })

  test('in ids that the app assigns: unchanged, or a typed error for an empty or too long one', async () => {
    const { records } = await open([definition('Visit')])
    const visits = records('Visit')
    for (const id of HOSTILE) {
      expect(visits.insert({ id }, id).object).toBe(id)
      expect(visits.get(id)?.attributes).toEqual({ id })
    }
    expect(visits.count(EVERYTHING)).toBe(HOSTILE.length)
    for (const id of ['', TOO_LONG, 'half \ud800'])
      expect(reported(() => visits.insert({}, id))).toBe('name_not_allowed')
    expect(visits.count(EVERYTHING)).toBe(HOSTILE.length)
  })

  test('in the logins of users', async () => {
    const { sdk, records } = await open([definition('Visit')])
    for (const login of HOSTILE.filter(login => login.length < 200)) {
      await sdk.login(login, login)
      expect(sdk.userName).toBe(login)
      expect(records('Visit').count(EVERYTHING)).toBe(0)
      records('Visit').insert({ of: login })
      await sdk.sync()
      await sdk.logout()
    }
  })
})
