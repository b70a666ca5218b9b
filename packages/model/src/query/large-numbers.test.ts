import { afterAll, describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { FakeServer } from '../testing/fake-server.js'
import { DRIVERS, definition, driveOn, openOn, temporaryDirectories } from '../testing/open-device.js'
import { EVERYTHING, type Operator } from './query-tree.js'

const directories = temporaryDirectories()
afterAll(() => directories.removeAll())

const FAR = 2 ** 80
const whole = fc.oneof(
  fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }).map(Number),
  fc.constantFrom(2 ** 53 + 2, 2 ** 60, -(2 ** 63), 2 ** 63, 1e19, FAR, -578_399_415_093_990_000),
  fc.maxSafeInteger(),
)
const any = fc.double({ noNaN: true, noDefaultInfinity: true })

describe.each(DRIVERS)('on %s', driver => {
  test.each([
    ['Integer', whole],
    ['Float', whole],
    ['Float', any],
  ] as const)('a number of the type %s matches a list that contains it, and no other', async (type, number) => {
    const { sdk, device } = openOn(await driveOn(driver, directories.make()), new FakeServer())
    const local = { partition: 'local', syncType: 'none' } as const
    const records = device.define(definition('Part', { ...local, attributes: { size: type } }))
    const count = (operator: Operator, value: number | readonly number[]) =>
      records.count({ condition: { kind: 'compare', attribute: 'size', operator, value }, order: [] })
    fc.assert(
      fc.property(number, number, (size, other) => {
        records.destroyAll(EVERYTHING)
        records.insert({ size })
        const isSame = size === other
        expect([count('=', size), count('IN', [other, size]), count('NOT IN', [other, size])]).toEqual([1, 1, 0])
        expect([count('=', other), count('IN', [other]), count('NOT IN', [other])]).toEqual(
          isSame ? [1, 1, 0] : [0, 0, 1],
        )
      }),
      { numRuns: 300 },
    )
    await sdk.close()
  })
})
