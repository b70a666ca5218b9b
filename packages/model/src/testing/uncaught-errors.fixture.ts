import { jest } from '@jest/globals'

/** What is thrown by itself from now on, until it is taken. */
export function uncaughtErrors(): { taken(): readonly unknown[] } {
  const thrown: unknown[] = []
  const queue = jest.spyOn(globalThis, 'queueMicrotask').mockImplementation(run => {
    try {
      run()
    } catch (error) {
      thrown.push(error)
    }
  })
  return {
    taken() {
      queue.mockRestore()
      return thrown
    },
  }
}
