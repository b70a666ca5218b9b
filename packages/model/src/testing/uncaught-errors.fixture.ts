import { jest } from '@jest/globals'

/** Collects errors thrown in microtasks. `taken` ends the collection and returns them. */
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
