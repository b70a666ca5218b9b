import { spawnSync } from 'node:child_process'
import type { WorkerRequest } from '../world/worker.js'

/** How a run of histories ended. */
export interface BundleRun {
  readonly code: number | null
  /** What the worker reported, in order. */
  readonly lines: readonly WorkerLine[]
  /** All output. */
  readonly out: string
}

/** A line that a worker prints. */
export interface WorkerLine {
  /** Number of histories that have run. */
  readonly done?: number
  readonly seed?: number
  readonly plan?: object
  /** The history that failed. */
  readonly failure?: { readonly promise: string; readonly message: string; readonly trace: readonly string[] }
  /** Number of steps of the history after it was shortened, and before. */
  readonly steps?: number
  readonly of?: number
  /** At the end: how often faults happened and comparisons were made, by their names. */
  readonly counts?: { readonly [name: string]: number }
}

/** Runs histories of a bundle in a separate process, whose clock they can stop. */
export function runBundle(
  bundle: string,
  request: Pick<WorkerRequest, 'first' | 'histories'> & Partial<WorkerRequest>,
): BundleRun {
  const order: WorkerRequest = { trace: false, whole: false, survey: false, ...request }
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', bundle, JSON.stringify(order)],
    { encoding: 'utf8', env: { ...process.env, NODE_OPTIONS: '' }, maxBuffer: 64 * 1024 * 1024 },
  )
  const lines = stdout.split('\n').filter(line => line.startsWith('{'))
  return { code: status, lines: lines.map(line => JSON.parse(line) as WorkerLine), out: stdout + stderr }
}

/** Returns a text about a failed history: the trace of its events, what was violated, and the command that runs it again. */
export function failureText(
  { seed, plan, failure, steps, of }: WorkerLine,
  { about, store }: Partial<Pick<WorkerRequest, 'about' | 'store'>> = {},
): string {
  const chosen = `${about === undefined ? '' : ` --about ${about}`}${store === undefined ? '' : ` --store ${store}`}`
  return [
    ...(failure?.trace ?? []),
    '',
    `plan ${JSON.stringify(plan)}`,
    '',
    `✗ seed ${seed}: ${failure?.promise} (${steps} of ${of} steps)`,
    `  ${failure?.message}`,
    `  again: pnpm --filter @godwit/e2e simulate -- --seed ${seed}${chosen}`,
    '',
  ].join('\n')
}
