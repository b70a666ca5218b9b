import { Violation } from '../checks/violation.js'
import type { Scheduler } from './scheduler.js'

interface TaskParts {
  readonly scheduler: Scheduler
  readonly violated: (promise: string, found: string) => void
  readonly note: (text: string) => void
}

/** Running tasks. */
export class Tasks {
  readonly #parts: TaskParts
  readonly #running = new Set<Promise<void>>()

  constructor(parts: TaskParts) {
    this.#parts = parts
  }

  get isEmpty(): boolean {
    return this.#running.size === 0
  }

  /** Starts a task. A rejection is only noted in the trace, unless it is a violation. */
  start(task: () => Promise<void>): void {
    const world = this.#parts
    const running: Promise<void> = task()
      .catch(error => {
        if (error instanceof Violation) world.violated(error.promise, error.message)
        else world.note(`    (${error instanceof Error ? error.message : error})`)
      })
      .finally(() => {
        this.#running.delete(running)
        world.scheduler.recordActivity()
      })
    this.#running.add(running)
  }
}
