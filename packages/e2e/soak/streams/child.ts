import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { inspect } from 'node:util'

/** A child process of this program in another role, which answers one request at a time. */
export class Child<Question> {
  readonly #process: ChildProcess
  #last: Promise<unknown> = Promise.resolve()

  constructor(role: string, settings: object) {
    this.#process = fork(process.argv[1] ?? '', [role, JSON.stringify(settings)])
  }

  ask<Answer>(question: Question): Promise<Answer> {
    const answer = this.#last.then(() => this.#ask<Answer>(question))
    this.#last = answer.catch(() => {})
    return answer
  }

  async end(): Promise<void> {
    if (this.#process.exitCode !== null) return
    const ended = once(this.#process, 'exit')
    this.#process.disconnect()
    await ended
  }

  #ask<Answer>(question: Question): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const died = (): void => reject(new Error('a process of the crowd ended'))
      this.#process.once('exit', died)
      this.#process.once('message', answer => {
        this.#process.off('exit', died)
        const { failed, value } = answer as { failed?: string; value: Answer }
        if (failed === undefined) resolve(value)
        else reject(new Error(failed))
      })
      this.#process.send(question as object)
    })
  }
}

/** Answers the requests of the parent process, and exits with it. */
export function answer<Question>(how: (question: Question) => unknown): void {
  process.on('message', async (question: Question) => {
    try {
      process.send?.({ value: (await how(question)) ?? null })
    } catch (error) {
      process.send?.({ failed: inspect(error) })
    }
  })
  process.once('disconnect', () => process.exit())
}
