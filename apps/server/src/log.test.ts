import { describe, expect, test } from '@jest/globals'
import { openLog } from './log.js'

function written(options: { readonly isTTY?: boolean }): { lines: string[]; log: ReturnType<typeof openLog> } {
  const lines: string[] = []
  return { lines, log: openLog('info', { write: text => void lines.push(text), ...options }) }
}

/** Without colours. */
const plain = (text: string | undefined): string =>
  (text ?? '').replaceAll(new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g'), '')

describe('the log', () => {
  test('is JSON, a line per entry, for programs', () => {
    const { lines, log } = written({})
    log.info({ login: 'ada' }, 'A user was created')
    expect(lines.map(line => JSON.parse(line))).toEqual([
      { level: 'info', time: expect.stringMatching(/^\d{4}-.*Z$/), login: 'ada', msg: 'A user was created' },
    ])
  })

  test('is readable for people on a terminal', () => {
    const { lines, log } = written({ isTTY: true })
    log.info({ login: 'ada', count: 2 }, 'A user was created')
    expect(plain(lines[0])).toMatch(/^\d\d:\d\d:\d\d info {2}A user was created login=ada count=2\n$/)
  })

  test('tells the stack of an error', () => {
    const { lines, log } = written({ isTTY: true })
    log.error({ err: new Error('away') }, 'The backend failed')
    expect(plain(lines[0])).toMatch(/error The backend failed\nError: away\n {4}at /)
  })

  test('omits entries below its level', () => {
    const { lines, log } = written({})
    log.debug({}, 'asked')
    expect(lines).toEqual([])
  })
})
