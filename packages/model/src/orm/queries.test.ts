import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { offlineSdk } from './orm.fixture.js'
import type { OrmModel } from './orm-model.js'
import type { OrmRecord } from './orm-record.js'

let device: Awaited<ReturnType<typeof offlineSdk>>
beforeEach(async () => {
  device = await offlineSdk()
})
afterEach(() => device.close())

const CITIES = [
  { name: 'Oulu', people: 210, area: 2972.5, port: true },
  { name: 'Turku', people: 200, area: 245.5, port: true },
  { name: 'Espoo', people: 314, area: 312.25, port: false },
  { name: 'oslo', people: 709 },
  { people: 9, area: 1000 },
]

describe.each(['bag', 'fixed'])('a %s model', storage => {
  let City: OrmModel
  const name = (record: OrmRecord | undefined) => record?.get('name') ?? '?'
  const names = (options?: unknown) => City.find('all', options).map(name).join(' ')

  beforeEach(() => {
    City = device.sdk.addModel('City', model => {
      if (storage === 'fixed') model.enable('fixed_schema')
      model.setModelProperty('name')
      model.setModelProperty('people', 'integer')
      model.setModelProperty('area', 'float')
      model.setModelProperty('port', 'boolean')
    })
    for (const city of CITIES) City.create(city)
  })

  test('the type of a find follows from its options', () => {
    const conditions = { port: true }
    expect(City.find({ conditions }).map(name)).toEqual(['Oulu', 'Turku'])
    expect(City.find().map(name)).toHaveLength(5)
    const first = City.find('first', { conditions })
    expect(name(first)).toBe('Oulu')
    expect(City.find('first', { conditions: { name: 'Rome' } })).toBeUndefined()
    expect(City.find('count', { conditions })).toBe(2)
    expect(name(City.find(first?.object ?? ''))).toBe('Oulu')
    expect(City.find('12345')).toBeUndefined()
    expect(() => City.find('some' as 'all', {})).toThrow("'all', 'first', 'count' or an id")
  })

  test('the conditions of a map are joined by AND, or by OR', () => {
    expect(names({ conditions: { port: true, people: 200 } })).toBe('Turku')
    expect(names({ conditions: { port: false, people: 200 }, op: 'OR' })).toBe('Turku Espoo')
    expect(names({ conditions: { port: true, people: 200 }, op: 'and' })).toBe('Turku')
    expect(names({ name: 'Espoo' })).toBe('Espoo')
    expect(names({})).toBe('Oulu Turku Espoo oslo ?')
    expect(() => names({ conditions: {}, op: 'XOR' })).toThrow('AND or OR')
  })

  test.each<[unknown, string]>([
    [{ attrib: 'people', op: '>', value: 300 }, 'Espoo oslo'],
    [{ name: 'people', op: '<=', value: '200' }, 'Turku ?'],
    [{ attrib: 'name', value: 'Oulu' }, 'Oulu'],
    [{ attrib: 'name', op: 'IN', values: ['Oulu', 'Espoo', 'Rome'] }, 'Oulu Espoo'],
    [{ attrib: 'name', op: 'not  in', values: ['Oulu', 'Espoo'] }, 'Turku oslo'],
    [{ attrib: 'name', values: ['Turku'] }, 'Turku'],
    [{ attrib: 'name', op: '!=', value: 'Oulu' }, 'Turku Espoo oslo'],
    [{ attrib: 'name', op: 'LIKE', value: 'o%' }, 'Oulu oslo'],
    [{ attrib: 'area', op: 'like', value: '2%.5' }, 'Oulu Turku'],
    [{ attrib: 'name', func: 'upper', op: '=', value: 'OSLO' }, 'oslo'],
    [{ attrib: 'name', func: 'LENGTH', op: '<', value: 5 }, 'Oulu oslo'],
    [{ attrib: 'name', op: 'IN', values: ['Oulu', null] }, 'Oulu ?'],
    [{ attrib: 'name', op: 'IN', values: [] }, ''],
  ])('%j finds %s', (conditions, found) => {
    expect(names({ conditions })).toBe(found)
  })

  test('a map of attributes called name and value stays a map', () => {
    const Pair = device.sdk.addModel('Pair')
    Pair.create({ name: 'a', value: 'b' })
    expect(Pair.find('count', { conditions: { name: 'a', value: 'b' } })).toBe(1)
  })

  test('lists of conditions nest to any depth', () => {
    const small = { attrib: 'people', op: '<', value: 205 }
    expect(names({ conditions: [{ port: true }, small] })).toBe('Turku')
    expect(names({ conditions: [{ name: 'oslo' }, small], op: 'OR' })).toBe('Turku oslo ?')
    const inner = { conditions: [{ name: 'Espoo' }, ['area > ?', 2000]], op: 'OR' }
    expect(names({ conditions: inner })).toBe('Oulu Espoo')
    expect(names({ conditions: [inner, "name LIKE 'E%'"] })).toBe('Espoo')
    expect(names({ conditions: [{ conditions: [inner, { conditions: small }], op: 'or' }, { port: true }] })).toBe(
      'Oulu Turku',
    )
    expect(names({ conditions: [] })).toBe('Oulu Turku Espoo oslo ?')
  })

  test('SQL as text or with values', () => {
    expect(names({ conditions: "port = 'true' AND area / 2 < 1000" })).toBe('Turku')
    expect(names({ conditions: ['people BETWEEN ? AND ? OR name IS NULL', '200', 250] })).toBe('Oulu Turku ?')
    expect(names({ conditions: 'lower(name) = name' })).toBe('oslo')
    expect(names({ conditions: '' })).toBe('Oulu Turku Espoo oslo ?')
    expect(() => names({ conditions: 'name = = 1' })).toThrow(expect.objectContaining({ code: 'query_invalid' }))
  })

  test('null is what is missing', () => {
    expect(names({ conditions: { port: null } })).toBe('oslo ?')
    expect(names({ conditions: { attrib: 'port', op: '<>', value: null } })).toBe('Oulu Turku Espoo')
    expect(names({ conditions: 'area IS NULL' })).toBe('oslo')
    expect(() => names({ conditions: { people: { '<': null } } })).toThrow('which only = and <> take')
  })

  test('undefined is a mistake, not a missing value', () => {
    expect(() => City.delete_all({ conditions: { name: undefined } })).toThrow('null')
    expect(() => names({ conditions: { name: new Date() } })).toThrow(
      expect.objectContaining({ code: 'query_invalid' }),
    )
    expect(() => names({ conditions: ['people > ?', Number.NaN] })).toThrow('finite')
    expect(City.getCount()).toBe(5)
  })

  test('object is queried as an attribute is', () => {
    const [one, two] = City.find().map(record => record.object) as [string, string]
    expect(names({ conditions: { object: two } })).toBe('Turku')
    expect(names({ conditions: ['object IN (?)', [one, two]], order: 'object', orderdir: 'DESC' })).toBe(
      one < two ? 'Turku Oulu' : 'Oulu Turku',
    )
    const [selected] = City.find('all', {
      select: 'object, name',
      conditions: { attrib: 'object', op: 'LIKE', value: one },
    })
    expect([selected?.object, selected?.attributes]).toEqual([one, { name: 'Oulu' }])
  })

  test('order, with directions for some, none or all', () => {
    expect(names()).toBe('Oulu Turku Espoo oslo ?')
    expect(names({ order: 'port, people', orderdir: 'DESC' })).toBe('Turku Oulu Espoo ? oslo')
    expect(names({ order: ['port', 'people'], orderdir: ['desc', 'DESC'] })).toBe('Oulu Turku Espoo oslo ?')
    expect(names({ order: ['port', 'people'] })).toBe('? oslo Espoo Turku Oulu')
    expect(() => names({ order: 'name', orderdir: 'UP' })).toThrow('ASC or DESC, got UP')
    expect(() => names({ order: 'name', orderdir: ['ASC', 'DESC'] })).toThrow('2 directions for 1')
    expect(City.find('first', { select: 'name, port' })?.attributes).toEqual({ name: 'Oulu', port: true })
  })

  test('limit and offset page to the end', () => {
    expect(names({ offset: 1, per_page: 2 })).toBe('Turku Espoo')
    expect(names({ offset: '3', limit: '1' })).toBe('oslo')
    expect(names({ offset: 9 })).toBe('')
    expect(City.paginate({ page: 1, per_page: 3 }).map(name)).toEqual(['oslo', '?'])
    expect(City.paginate({ page: 2, per_page: 3 })).toEqual([])
    expect(City.paginate({ page: Number.MAX_SAFE_INTEGER, per_page: Number.MAX_SAFE_INTEGER })).toEqual([])
    for (const params of [{ page: -1 }, { page: 'one' }, { per_page: 0 }, { page: 0, per_page: 1.5 }])
      expect(() => City.paginate(params)).toThrow('whole number')
  })

  test('an attribute that no object has matches nothing', () => {
    expect(names({ conditions: { river: 'Aura' } })).toBe('')
    expect(names({ conditions: { attrib: 'river', op: '<>', value: 'Aura' } })).toBe('')
    expect(names({ conditions: { river: null } })).toBe('Oulu Turku Espoo oslo ?')
    for (const options of [{ conditions: 'river = 1' }, { order: 'river' }, { select: ['river'] }]) {
      if (storage === 'fixed') expect(() => names(options)).toThrow('no attribute "river"')
      else expect(() => names(options)).not.toThrow()
    }
  })

  test('reserved and missing names, unknown options and operators are refused with what is allowed', () => {
    for (const reserved of ['', 'source_id', 'update_type', 'attrib_type'])
      expect(() => names({ conditions: { [reserved]: 1 } })).toThrow('the name of an attribute')
    expect(() => names({ order: 'name,' })).toThrow('the name of an attribute')
    expect(() => names({ select: [5] })).toThrow('the name of an attribute')
    expect(() => names({ conditions: {}, sort: 'name' })).toThrow('no option sort; it may have conditions, op, order')
    expect(() => names({ conditions: { attrib: 'name', op: '~', value: 1 } })).toThrow(
      '=, <, >, <=, >=, <>, LIKE, IN, NOT IN, got "~"',
    )
    expect(() => names({ conditions: { attrib: 'name', func: 'SLEEP', value: 1 } })).toThrow('LOWER, UPPER')
    expect(() => names({ conditions: { attrib: 'name', op: '=', values: ['a'] } })).toThrow('expected one value')
    expect(() => names({ conditions: { attrib: 'name', op: 'IN', value: 'a' } })).toThrow('expected a list')
    expect(() => names({ conditions: 5 })).toThrow('conditions: expected a map')
  })
})
