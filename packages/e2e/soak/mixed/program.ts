import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { StoreSample } from './gauge.js'
import { runSoak } from './run-soak.js'

// Runs a mixed load of many devices for minutes or hours and prints its report as JSON. --minutes 120 --devices 2000 --seed 7 --pause 500
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '3' },
    devices: { type: 'string', default: '2000' },
    pause: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})
const folder = mkdtempSync(join(tmpdir(), 'godwit-soak-'))
try {
  const [minutes, devices, pause, seed] = [values.minutes, values.devices, values.pause, values.seed].map(Number) as [
    number,
    number,
    number,
    number,
  ]
  const store = join(folder, 'soak.sqlite')
  const report = await runSoak({ store, minutes, devices, pause, seed, progress: reportSample })
  process.stdout.write(`${JSON.stringify({ seed, ...report, samples: report.samples.length }, null, 2)}\n`)
  if (report.failures.length + report.lost.length + report.errors.length + report.grown.length > 0) process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Prints the size of the store and of its largest tables, in MB. */
function reportSample({ at, size, tables }: StoreSample): void {
  const mega = (bytes: number): string => (bytes / 1e6).toFixed(1)
  const largest = [...tables].sort(([, one], [, other]) => other - one).slice(0, 6)
  const list = largest.map(([table, bytes]) => `${table} ${mega(bytes)}`).join(', ')
  process.stderr.write(`${Math.round(at)} s: the store has ${mega(size)} MB, of these ${list}\n`)
}
