import type { AttributeValue } from '@godwit/protocol'
import { expect, test } from '@jest/globals'
import { definition } from '../testing/open-device.js'
import { compileFragment } from './sql-fragment.js'

const product = definition('Product', {
  storage: 'fixed',
  freezed: true,
  attributes: { name: 'String', price: 'Float', fresh: 'Boolean', order: 'String', 'a"b': 'String' },
})
const bag = definition('Bag', { attributes: { price: 'Float' } })

const compiled = (sql: string, ...values: readonly AttributeValue[]) => compileFragment(product, sql, values)

test.each([
  ['a statement after it', 'name = 1; DROP TABLE x'],
  ['a subselect', 'price > (SELECT max(price) FROM other)'],
  ['EXISTS', 'EXISTS (1)'],
  ['a pragma', 'pragma_table_info(1) = 1'],
  ['PRAGMA as a word', 'PRAGMA = 1'],
  ['a function that loads code', "load_extension('x') = 1"],
  ['a function that is not on the list', 'randomblob(5) = name'],
  ['a parenthesis that closes what it did not open', '1 = 1) OR (1 = 1'],
  ['a parenthesis left open', '(name = 1'],
  ['a string left open', "name = 'x"],
  ['a name left open', 'name = "x'],
  ['a table before the name', 'other.name = 1'],
  ['a numbered placeholder', 'name = ?1'],
  ['a named placeholder', 'name = :name'],
  ['a character that SQL does not know', 'name = \u0001'],
  ['nothing', ' -- nothing'],
])('%s is refused', (_, sql) => {
  expect(() => compiled(sql)).toThrow(expect.objectContaining({ code: 'query_invalid', details: expect.anything() }))
})

test('every placeholder has a bound value, and no value becomes part of the SQL', () => {
  const hostile = "x' OR 1 = 1; --"
  const { sql, values } = compiled('name = ? AND price < ?', hostile, '5')
  expect(sql).not.toContain('1 = 1')
  expect(values).toEqual([hostile, 5])
  expect(compiled('name = ? AND price < ?', 'y', 7).sql).toBe(sql)
  expect(() => compiled('name = ?')).toThrow('more ? than the 0 values')
  expect(() => compiled('name = ?', 'a', 'b')).toThrow('1 ? for 2 values')
})

test('a list fills IN', () => {
  expect(compiled('name IN (?)', ['a', 'b'])).toMatchObject({
    sql: expect.stringMatching(/IN \( \?, \? \)$/),
    values: ['a', 'b'],
  })
  expect(compiled('name IN (?)', []).sql).toMatch(/IN \( NULL \)$/)
})

test.each<[string, AttributeValue, unknown]>([
  ['price < ?', '200', 200],
  ['? >= price', '200', 200],
  ['(price) <= ?', '200', 200],
  ['price NOT IN (1, ?)', '200', 200],
  ['price BETWEEN 1 AND ?', '200', 200],
  ['price IS NOT ?', '200', 200],
  ['price = ? OR name = 1', 'dear', 'dear'],
  ['name = ?', 200, '200'],
  ['price > 1 AND name = ?', 200, '200'],
  ['fresh = ?', true, 'true'],
  ['LENGTH(name) > ?', 3, 3],
  ['name LIKE ?', 'a%', 'a%'],
])('in %s, %j is bound as it compares with the attribute', (sql, given, bound) => {
  expect(compiled(sql, given).values).toEqual([bound])
})

test('literals compare as values do', () => {
  expect(compiled("price < '200'").sql).toMatch(/< 200$/)
  expect(compiled("name = '200'").sql).toMatch(/= '200'$/)
  expect(compiled('fresh = TRUE').sql).toMatch(/= 'true'$/)
  expect(compiled("name = '--; /* no comment */'").sql).toContain("'--; /* no comment */'")
})

test('comments are skipped; names are found in any case and in quotes', () => {
  const { sql } = compiled('NAME = 1 -- so\n AND /* and */ "order" = 2')
  expect(sql).toContain('"a_name"')
  expect(sql).toContain('"a_order"')
  expect(sql).not.toMatch(/--|\/\*/)
  expect(compiled('[a"b] = `a"b`').sql).toContain('"a_a""b"')
})

test('a fixed model refuses an attribute that it lacks; a bag may have any', () => {
  expect(() => compiled('colour = 1')).toThrow('Product has no attribute "colour": expected one of object, name, price')
  expect(compileFragment(bag, 'colour = 1', []).sql).toContain(`'$."colour"'`)
})

test('names of types and collations are attributes where SQL expects no type or collation', () => {
  const words = ['text', 'real', 'integer', 'numeric', 'binary', 'nocase', 'rtrim', 'first', 'last']
  for (const word of words) {
    const model = definition('Note', { storage: 'fixed', freezed: true, attributes: { [word]: 'String' } })
    const { sql } = compileFragment(model, `${word} = ? COLLATE NOCASE OR rtrim(${word}) = CAST(${word} AS TEXT)`, [
      'a',
    ])
    expect(sql.replaceAll(`"a_${word}"`, 'it')).toBe('it = ? COLLATE NOCASE OR RTRIM ( it ) = CAST ( it AS TEXT )')
    expect(() => compileFragment(product, `${word} = 1`, [])).toThrow(`Product has no attribute "${word}"`)
  }
  expect(compiled('CAST(price AS numeric(10, 2)) < ?', 5).sql).toMatch(/AS numeric \( 10 , 2 \)/)
})
