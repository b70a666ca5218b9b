import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The command as a process, in an empty folder. */
export interface Godwit {
  readonly child: ChildProcess
  /** The address, once the process prints it. Rejects with its output if it ends before. */
  readonly listening: Promise<string>
  /** The exit code and all output, once the process has ended. */
  readonly ended: Promise<ProcessResult>
  written(): { readonly stdout: string; readonly stderr: string }
  /** Sends SIGTERM and waits for the end. */
  stop(): Promise<ProcessResult>
}

export interface ProcessResult {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  readonly words?: readonly string[]
  readonly environment?: { readonly [name: string]: string | undefined }
  /** The text on standard input. Default: empty. */
  readonly input?: string
  /** Options of Node itself. */
  readonly node?: readonly string[]
}

/** The path of the built command. */
export const program = fileURLToPath(new URL('../../dist/godwit.js', import.meta.url))

/** A temporary folder for processes; `clear` ends all of them and removes it. */
export function workshop() {
  const folder = mkdtempSync(join(tmpdir(), 'godwit-process-'))
  const children: ChildProcess[] = []
  return {
    folder,
    run(options: RunOptions = {}): Godwit {
      const godwit = runIn(folder, options)
      children.push(godwit.child)
      return godwit
    },
    async clear(): Promise<void> {
      await Promise.all(children.map(end))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function runIn(folder: string, { words = ['start'], environment = {}, input, node = [] }: RunOptions): Godwit {
  const settings = {
    PORT: '0',
    NODE_ENV: undefined,
    SYNC_STORE: undefined,
    SYNC_CONFIG: undefined,
    SYNC_ADMIN_PASSWORD: undefined,
    NODE_OPTIONS: '',
    // Keeps the developer's own logins out of the tests.
    XDG_CONFIG_HOME: folder,
  }
  const env = { ...process.env, ...settings, ...environment }
  const child = spawn(process.execPath, [...node, program, ...words], {
    cwd: folder,
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.stdin.on('error', () => {}).end(input)
  const texts = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    texts.stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    texts.stderr += text
  })
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...texts }))
  const listening = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', () => {
      const url = /^godwit listening on (\S+)\n/.exec(texts.stdout)?.[1]
      if (url !== undefined) resolve(url)
    })
    ended.then(({ code, stderr }) => reject(new Error(`godwit ended with ${code}: ${stderr}`)))
  })
  listening.catch(() => {})
  const stop = (): Promise<ProcessResult> => {
    child.kill('SIGTERM')
    return ended
  }
  return { child, listening, ended, stop, written: () => ({ ...texts }) }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'close')
}
