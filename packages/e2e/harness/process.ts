import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** A program in a separate process. */
export interface Program {
  readonly child: ChildProcess
  /** Everything written so far. */
  output(): { readonly out: string; readonly error: string }
  /** Resolves with the first matching line on stdout; rejects if the program ends before. */
  line(pattern: RegExp): Promise<RegExpMatchArray>
  readonly exit: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>
  /** Ends the process by its id, if it still runs, and waits. */
  kill(signal?: NodeJS.Signals): Promise<void>
}

const runningPrograms = new Set<Program>()

interface Environment {
  readonly [name: string]: string | undefined
}

/** Starts a script on this Node, with additional environment variables. */
export const start = (script: string, words: readonly string[], environment: Environment = {}): Program =>
  startProgram(process.execPath, ['--disable-warning=ExperimentalWarning', script, ...words], {
    env: { ...process.env, NODE_OPTIONS: '', ...environment },
  })

interface StartOptions {
  readonly env: NodeJS.ProcessEnv
  readonly cwd?: string
  readonly uid?: number
  readonly gid?: number
}

/** Starts any program. */
export function startProgram(command: string, words: readonly string[], options: StartOptions): Program {
  const child = spawn(command, words, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  const out: string[] = []
  const error: string[] = []
  child.stdout.setEncoding('utf8').on('data', (text: string) => out.push(text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => error.push(text))
  const exit = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>(resolve => {
    child.once('close', (code, signal) => {
      runningPrograms.delete(program)
      resolve({ code, signal })
    })
  })
  const program: Program = {
    child,
    exit,
    output: () => ({ out: out.join(''), error: error.join('') }),
    line: pattern =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = out.join('').match(pattern)
          if (found !== null) resolve(found)
        }
        child.stdout.on('data', look)
        void exit.then(({ code, signal }) =>
          reject(
            new Error(
              `${[command, ...words].join(' ')} ended (${code ?? signal}) before it wrote ${pattern}:\n${out.join('')}\n${error.join('')}`,
            ),
          ),
        )
        look()
      }),
    async kill(signal = 'SIGKILL') {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal)
      await exit
    },
  }
  runningPrograms.add(program)
  return program
}

/** Ends all processes that a test left running. Call it after each test. */
export async function endAll(): Promise<void> {
  await Promise.all([...runningPrograms].map(program => program.kill()))
}

/** A path below the root of the repository. */
export const inRepository = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url))
