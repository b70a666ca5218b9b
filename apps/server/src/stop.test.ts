import { describe, expect, test } from '@jest/globals'
import { stopOnSignal } from './stop.js'

/** A process that only records calls. */
function fakeProcess() {
  const listeners = new Map<string, (...given: never[]) => void>()
  const exits: number[] = []
  return {
    exits,
    send: (signal: string) => listeners.get(signal)?.(),
    signals: {
      on: (signal: string, listener: (...given: never[]) => void) => listeners.set(signal, listener),
      exit: (code: number) => void exits.push(code),
    },
  }
}

const log = { info: () => {}, error: () => {} }
const soon = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 20))

describe('a signal to stop', () => {
  test.each(['SIGTERM', 'SIGINT'])('%s ends with 0 once everything is closed', async signal => {
    const { signals, send, exits } = fakeProcess()
    let closed = (): void => {}
    stopOnSignal(signals, {
      close: () =>
        new Promise(resolve => {
          closed = resolve
        }),
      log,
    })
    send(signal)
    await soon()
    expect(exits).toEqual([])
    closed()
    await soon()
    expect(exits).toEqual([0])
  })

  test('waits no longer than its timeout', async () => {
    const { signals, send, exits } = fakeProcess()
    stopOnSignal(signals, { close: () => new Promise(() => {}), log, patience: 10 })
    send('SIGTERM')
    await soon()
    expect(exits).toEqual([0])
  })

  test('ends at once when it comes again', () => {
    const { signals, send, exits } = fakeProcess()
    stopOnSignal(signals, { close: () => new Promise(() => {}), log, patience: 10 })
    send('SIGINT')
    send('SIGINT')
    expect(exits).toEqual([1])
  })

  test('ends with 0 even if something does not close', async () => {
    const { signals, send, exits } = fakeProcess()
    stopOnSignal(signals, { close: () => Promise.reject(new Error('stuck')), log })
    send('SIGTERM')
    await soon()
    expect(exits).toEqual([0])
  })
})
