import { describe, expect, test } from '@jest/globals'
import { describeStrayError } from './stray-error.js'

/** An error with these files in its stack, the innermost first. */
const errorOf = (...files: readonly string[]): Error =>
  Object.assign(new Error('it broke'), {
    stack: ['Error: it broke', ...files.map(file => `    at work (${file}:3:7)`)].join('\n'),
  })

const PG = '/app/node_modules/.pnpm/pg@8.23.1/node_modules/pg/lib/client.js'
const PROTOCOL = '/app/node_modules/pg-protocol/dist/parser.js'
const GODWIT = '/app/node_modules/@godwit/server/dist/index.js'
const describeIt = (error: unknown, origin: 'uncaughtException' | 'unhandledRejection' = 'uncaughtException') =>
  describeStrayError(error, origin, new Set(['pg']))

describe('the module of a stray error', () => {
  test('is a package of the app rather than one of its packages', () => {
    expect(describeIt(errorOf(PROTOCOL, PG, 'node:net')).module).toBe('pg')
    expect(describeIt(errorOf(PROTOCOL, 'node:net')).module).toBe('pg-protocol')
  })

  test('is a file of the app rather than a package', () => {
    expect(describeIt(errorOf(PG, 'file:///app/sources/orders.js')).module).toBe('/app/sources/orders.js')
  })

  test('is a package with its scope', () => {
    expect(describeIt(errorOf('/app/node_modules/@acme/erp/index.js')).module).toBe('@acme/erp')
  })

  test('is unknown where there is no stack', () => {
    expect(describeIt('a text').module).toBe('unknown')
    expect(describeIt(undefined)).toMatchObject({ module: 'unknown', message: 'undefined' })
  })
})

describe("a stray error is Godwit's own", () => {
  test.each([
    GODWIT,
    '/app/node_modules/godwit/dist/start.js',
    '/app/node_modules/@redis/client/dist/lib/client/socket.js',
    new URL('../../../packages/server/dist/index.js', import.meta.url).href,
    new URL('../dist/godwit.js', import.meta.url).href,
  ])('where %s was interrupted', file => {
    expect(describeIt(errorOf(PG, file)).isOwn).toBe(true)
    expect(describeIt(errorOf(file), 'unhandledRejection').isOwn).toBe(true)
  })

  test('where an exception has no stack', () => {
    expect(describeIt('a text').isOwn).toBe(true)
  })

  test('but neither in code of the app nor for a promise that Godwit did not make', () => {
    expect(describeIt(errorOf(PG, '/app/sources/orders.js')).isOwn).toBe(false)
    expect(describeIt(errorOf('/app/sources/orders.js', GODWIT), 'unhandledRejection').isOwn).toBe(false)
    expect(describeIt('a text', 'unhandledRejection').isOwn).toBe(false)
    expect(describeIt(errorOf('node:net')).isOwn).toBe(false)
  })
})

test('the advice names what emitted an event without listeners', () => {
  const error = errorOf('node:net')
  const emitted = `${error.stack}\nEmitted 'error' event on BoundPool instance at:\n    at Client.end (${PG}:62:10)`
  // As Node leaves it on the error.
  Object.assign(error, { [Symbol('kEnhanceStackBeforeInspector')]: () => emitted })
  expect(describeIt(error)).toEqual({
    module: 'pg',
    message: 'it broke',
    advice: "Handle the errors of BoundPool: .on('error', error => …)",
    isOwn: false,
  })
})

test('the message is one line', () => {
  expect(describeIt(new Error('one\ntwo')).message).toBe('one')
})
