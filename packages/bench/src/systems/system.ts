import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { Item } from '../objects.js'

/** A device of the measured system, over one connection. */
export interface Client {
  /** Pulls pages of 1,000 objects until it is up to date. Returns the number of objects. */
  pull(): Promise<number>
  /** Creates `count` objects in one request, through the backend. */
  write(kind: WriteKind, count: number): Promise<void>
  close(): void
}

/** `once`: the backend must receive each call once. `again`: calls may be repeated. */
export type WriteKind = 'once' | 'again'

/** A server in a separate process. */
export interface System {
  readonly name: string
  readonly url: string
  readonly pid: number
  /** The process id of the store, if it has a process. */
  readonly storePid?: number
  /** Pushes objects of a user, as a backend does. */
  ingest(user: string, objects: Record<string, Item>): Promise<void>
  /** Registers a new device of a user. */
  client(user: string): Promise<Client>
  stop(): Promise<void>
}

export interface SystemKind {
  readonly name: string
  /** The supported kinds of writes. */
  readonly writes: readonly WriteKind[]
  /** Starts the system. `origin`: the origin whose pages may call it, if the system supports browsers. */
  start(folder: string, origin?: string): Promise<System>
}

/** Resident memory of a process, in bytes. */
export function residentBytes(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) * 1024
}

/** Returns the processor time of a process in microseconds; the kernel counts in hundredths of a second. */
export function cpuMicroseconds(pid: number): number {
  const status = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const [user, system] = status
    .slice(status.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
  return (Number(user) + Number(system)) * 10_000
}

export interface StartedSystem {
  readonly url: string
  readonly pid: number
  /** Sends a message to the program and returns its response. */
  ask(question: string): Promise<unknown>
  stop(): Promise<void>
}

/** Starts a program and waits until it prints its address. */
export async function startProgram(
  script: string,
  words: readonly string[],
  environment: Record<string, string>,
): Promise<StartedSystem> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, ...words], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const { stdout, stderr } = child as ChildProcessWithoutNullStreams
  const end = () => void child.kill('SIGKILL')
  process.once('exit', end)
  child.once('exit', () => process.off('exit', end))
  let errors = ''
  stderr.on('data', (text: Buffer) => {
    errors = (errors + text).slice(-4000)
  })
  const url = await new Promise<string>((resolve, reject) => {
    let text = ''
    stdout.on('data', (chunk: Buffer) => {
      text += chunk
      const found = /listening on (http:\S+)/.exec(text)?.[1]
      if (found !== undefined) resolve(found)
    })
    child.once('exit', code => reject(new Error(`${script} ended with ${code}: ${errors}`)))
  })
  return { url, pid: child.pid ?? 0, ask: question => answerOf(child, question), stop: () => stop(child) }
}

/** Sends a message to a child process and returns its response; rejects if the child ends first. One message at a time. */
export async function answerOf(child: ChildProcess, question: object | string): Promise<unknown> {
  const done = new AbortController()
  const { signal } = done
  const ended = once(child, 'exit', { signal }).then(([code]) => {
    throw new Error(`A process ended with ${code} before it answered.`)
  })
  try {
    child.send(question)
    const [answer] = await Promise.race([once(child, 'message', { signal }), ended])
    return answer
  } finally {
    done.abort()
    ended.catch(() => undefined)
  }
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = new Promise<void>(resolve => void child.once('exit', () => resolve()))
  child.kill('SIGTERM')
  await ended
}
