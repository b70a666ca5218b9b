import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

export interface TerminalOptions {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
}

/** A program whose output is read line by line, each line once, in order. */
export class ScreenTerminal {
  readonly child: ChildProcess
  readonly #lines: string[] = []
  #all = ''
  #wake: () => void = () => {}

  constructor(command: string, words: readonly string[], options: TerminalOptions) {
    this.child = spawn(command, words, { ...options, stdio: ['pipe', 'pipe', 'pipe'] })
    this.child.once('exit', () => this.#wake())
    for (const stream of [this.child.stdout, this.child.stderr])
      createInterface({ input: stream as NodeJS.ReadableStream }).on('line', line => {
        this.#lines.push(line)
        this.#all += `${line}\n`
        this.#wake()
      })
  }

  /** Returns the output so far, of stdout and stderr. */
  read(): string {
    return this.#all
  }

  /** Returns the next matching line and drops those before it. */
  async until(fits: (line: string) => boolean): Promise<string> {
    for (;;) {
      const at = this.#lines.findIndex(fits)
      if (at >= 0) return this.#lines.splice(0, at + 1).at(-1) ?? ''
      if (this.child.exitCode !== null) throw new Error(`the program ended with ${this.child.exitCode}:\n${this.#all}`)
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
    }
  }

  async end(): Promise<void> {
    this.child.kill('SIGTERM')
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, 'close')
  }
}
