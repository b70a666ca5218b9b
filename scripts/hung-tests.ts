/** Watches a test run: reports processes without progress, with their state, and ends them, so that the run fails instead of hanging. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** Seconds without a step after which a test file counts as hung; far more than the timeout of almost all tests. */
const LIMIT = Number(process.env['TEST_HUNG_AFTER'] ?? 600)
/** Milliseconds to wait for the report of a process whose event loop runs. */
const REPORT_PATIENCE = 3000

type Process = { readonly pid: number; readonly parent: number; readonly command: string }
type Step = { readonly pid: number; readonly file: string; readonly title: string | undefined; readonly at: number }

export class HungTests {
  /** Each test process writes its steps to `<pid>.step` in this folder; reports are written here too. */
  readonly #folder = mkdtempSync(join(tmpdir(), 'godwit-tests-'))

  /** Node's flags that make a process write a diagnostic report on SIGUSR2. */
  get words(): readonly string[] {
    const report = ['--report-on-signal', '--report-signal=SIGUSR2', '--report-exclude-env', '--report-exclude-network']
    return [...report, `--report-directory=${this.#folder}`]
  }

  get environment(): NodeJS.ProcessEnv {
    return { ...process.env, TEST_STEPS: this.#folder }
  }

  /** Ends hung processes until `jest` has ended: a worker, whose file fails and which jest replaces, or else jest itself. */
  async watch(jest: { readonly pid: number; readonly ended: Promise<unknown> }): Promise<void> {
    const began = Date.now()
    let isOver = false
    const over = jest.ended.finally(() => (isOver = true))
    while (!isOver) {
      await Promise.race([over, pause(Math.min(LIMIT, 5) * 1000, undefined, { ref: false })])
      const steps = this.#steps()
      const hung = steps.filter(({ at }) => isLate(at))
      await Promise.all(hung.map(step => this.#end(step)))
      const last = Math.max(began, statSync(this.#folder).mtimeMs, ...steps.map(({ at }) => at))
      if (!isOver && hung.length === 0 && isLate(last))
        await this.#end({ pid: jest.pid, file: 'jest', title: undefined, at: last })
    }
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #steps(): readonly Step[] {
    return this.#files('.step').flatMap(name => {
      try {
        const path = join(this.#folder, name)
        const { mtimeMs: at } = statSync(path)
        return [{ ...JSON.parse(readFileSync(path, 'utf8')), pid: Number.parseInt(name, 10), at }]
      } catch {
        return [] // removed or being written
      }
    })
  }

  #files(ending: string): readonly string[] {
    return readdirSync(this.#folder).filter(name => name.endsWith(ending))
  }

  async #end({ pid, file, title, at }: Step): Promise<void> {
    const seconds = ((Date.now() - at) / 1000).toFixed(0)
    const processes = descendants(pid)
    signal(pid, 'SIGUSR2')
    await pause(REPORT_PATIENCE)
    const lines = [...processes.map(({ command }) => `its process: ${command.slice(0, 200)}`), this.#report(pid)]
    const heading = `✗ ${file} has made no step for ${seconds} s and is ended${title === undefined ? '' : `, in: ${title}`}`
    process.stdout.write([heading, ...lines.map(line => `    ${line}`), ''].join('\n'))
    for (const one of [pid, ...processes.map(one => one.pid)]) signal(one, 'SIGKILL')
    rmSync(join(this.#folder, `${pid}.step`), { force: true })
  }

  #report(pid: number): string {
    const name = this.#files('.json').find(report => report.split('.')[3] === `${pid}`)
    if (name === undefined) return 'its event loop does not turn: one call does not return'
    const handles: readonly { is_active?: boolean; type: string }[] = JSON.parse(
      readFileSync(join(this.#folder, name), 'utf8'),
    ).libuv
    const open = handles.filter(({ is_active, type }) => is_active && type !== 'loop').map(({ type }) => type)
    return `open: ${open.join(', ')}`
  }
}

const isLate = (at: number) => Date.now() - at > LIMIT * 1000

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // The process has ended.
  }
}

function descendants(pid: number): readonly Process[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
  const all = (stdout ?? '').split('\n').flatMap(line => {
    const [, id, parent, command] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
    return command === undefined ? [] : [{ pid: Number(id), parent: Number(parent), command }]
  })
  const of = (parent: number): readonly Process[] =>
    all.filter(one => one.parent === parent).flatMap(one => [one, ...of(one.pid)])
  return of(pid)
}
