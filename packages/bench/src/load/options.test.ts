import { describe, expect, test } from '@jest/globals'
import { readOptions, USAGE } from './options.js'

describe('the options of the load program', () => {
  test('all have a default', () => {
    expect(readOptions(['--'])).toEqual({
      devices: 1000,
      users: 1000,
      servers: 1,
      store: 'sqlite',
      objects: 1000,
      rounds: 5,
      pause: 0,
      changes: 10,
      writes: 5,
      lanes: 32,
      processes: 1,
      connections: 'new',
      heartbeat: 25,
      streams: false,
      json: false,
    })
  })

  test('give each device a separate user by default', () => {
    expect(readOptions(['--devices', '7'])).toMatchObject({ devices: 7, users: 7 })
    expect(readOptions(['--devices', '7', '--users', '2'])).toMatchObject({ devices: 7, users: 2 })
  })

  test.each([
    [['--devices', 'many'], '--devices: expected a whole number, got many.'],
    [['--lanes', '0'], '--lanes: expected 1 or more, got 0.'],
    [['--store', 'disk'], '--store: expected sqlite or redis, got disk.'],
    [['--connections', 'old'], '--connections: expected new or kept, got old.'],
    [['--objects', '5'], '--changes: expected at most --objects (5), got 10.'],
    [['--servers', '2'], '--servers: one process alone has a SQLite file. Use --store redis.'],
    [['--devises', '2'], "Unknown option '--devises'"],
  ])('refuse %j with the expected form', (words, message) => {
    expect(() => readOptions(words)).toThrow(message)
  })

  test('are all listed in the help', () => {
    const options = readOptions([])
    for (const name of Object.keys(options)) expect(USAGE).toContain(`--${name}`)
  })
})
