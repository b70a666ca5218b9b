import type { SqlValue } from '../../platform/driver.js'
import type { Suite } from './driver-conformance.js'

const TEXTS = ['', 'a\0b', '\0', 'é😀', '\uffff', '\ufeffa mark', 'x'.repeat(100_000), 'é'.repeat(50_000)]
const NUMBERS = [0, -1, 1.5, 2 ** 31, -(2 ** 53), 2 ** 53 - 1, 1e300, 5e-324, 0.1 + 0.2]

/** Tests that values are read as they were written. */
export function describeValues({ describe, fact, expect }: Suite): void {
  describe('values', () => {
    fact('texts come back as they are, whatever characters they have', ({ connect }) => {
      const echo = connect().prepare('SELECT ? AS value')
      for (const text of TEXTS) {
        expect(echo.get(text)?.['value'] === text).toBe(true)
        expect(echo.arrays(text)[0]?.[0] === text).toBe(true)
        expect(echo.all(text)[0]?.['value'] === text).toBe(true)
      }
    })

    fact('numbers come back as they are', ({ connect }) => {
      const echo = connect().prepare('SELECT ? AS value')
      for (const number of NUMBERS) expect(echo.get(number)).toEqual({ value: number })
    })

    fact('whole numbers are whole in columns of integers, and in JSON', ({ connect }) => {
      const driver = connect()
      driver.exec('CREATE TABLE t (i INTEGER)')
      driver.prepare('INSERT INTO t VALUES (?)').run(7)
      const read = driver.prepare("SELECT typeof(i), json_object('i', i) FROM t")
      expect(read.arrays()).toEqual([['integer', '{"i":7}']])
    })

    fact('whole numbers beyond 2^53 come as numbers', ({ connect }) => {
      const read = connect().prepare('SELECT 9007199254740993 AS value')
      const values: readonly unknown[] = [read.get()?.['value'], read.all()[0]?.['value'], read.arrays()[0]?.[0]]
      expect(values).toEqual([2 ** 53, 2 ** 53, 2 ** 53])
    })

    fact('bytes come back unchanged, and share no memory', ({ connect }) => {
      const driver = connect()
      const echo = driver.prepare('SELECT ? AS value')
      for (const bytes of [[], [0], [0, 255, 0, 128], Array.from({ length: 70_000 }, (_, at) => at % 256)]) {
        const value = echo.get(new Uint8Array(bytes))?.['value'] as SqlValue as Uint8Array
        echo.get(new Uint8Array(bytes.length).fill(7))
        expect([...new Uint8Array(value)]).toEqual(bytes)
      }
    })

    fact('null is null', ({ connect }) => {
      expect(connect().prepare('SELECT ? AS value, NULL AS other').get(null)).toEqual({ value: null, other: null })
    })
  })
}
