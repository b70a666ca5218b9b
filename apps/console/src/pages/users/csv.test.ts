import { expect, test } from '@jest/globals'
import { usersOfCsv } from './csv.js'

test('each line is a user, its columns are attributes', () => {
  const text = 'login,password,team\r\nada,secret,"north, ""far"""\n\ngrace,other,\n'
  expect(usersOfCsv(text)).toEqual([
    { attributes: { login: 'ada', password: 'secret', team: 'north, "far"' } },
    { attributes: { login: 'grace', password: 'other' } },
  ])
})

test('a malformed file is refused with the number of the line', () => {
  expect(() => usersOfCsv('name\nada')).toThrow('login among them')
  expect(() => usersOfCsv('login,password\nada')).toThrow('Line 2: expected 2 values, got 1.')
})
