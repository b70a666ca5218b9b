#!/usr/bin/env node
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, release, totalmem } from 'node:os'
import { parseArgs } from 'node:util'
import { noise } from './measure.js'
import { formatNumber, table } from './table.js'
import { atOnce } from './workloads/at-once.js'
import { browserBulk } from './workloads/browser-bulk.js'
import { browserLibraries } from './workloads/browser-libraries.js'
import { browserSync } from './workloads/browser-sync.js'
import { bulkSync } from './workloads/bulk-sync.js'
import { deviceModels } from './workloads/device-models.js'
import { deviceSync } from './workloads/device-sync.js'
import { deviceWrites } from './workloads/device-writes.js'
import { firstSync } from './workloads/first-sync.js'
import { incremental } from './workloads/incremental.js'
import { ingest } from './workloads/ingest.js'
import { largeSync } from './workloads/large-sync.js'
import { memory } from './workloads/memory.js'
import { noChange } from './workloads/no-change.js'
import { search } from './workloads/search.js'
import { tables } from './workloads/tables.js'
import type { Result, Sizes, Workload } from './workloads/workload.js'

const WORKLOADS: readonly Workload<{ readonly name: string }>[] = [
  firstSync,
  deviceSync,
  incremental,
  noChange,
  ingest,
  deviceWrites,
  memory,
  deviceModels,
  largeSync,
  bulkSync,
  atOnce,
  search,
  tables,
  browserLibraries,
  browserSync,
  browserBulk,
]
const QUICK = { objects: [1_000, 100_000], large: 200_000, runs: 3, requests: 200 }
const FULL = { objects: [1_000, 10_000, 100_000], large: 1_000_000, runs: 5, requests: 500 }

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean' },
    only: { type: 'string' },
    rounds: { type: 'string' },
    out: { type: 'string' },
    clock: { type: 'string' },
  },
})
const given = values.quick === true ? QUICK : FULL
const rounds = values.rounds === undefined ? given.requests * 2 : Number(values.rounds)
if (!Number.isInteger(rounds) || rounds < 1)
  throw new Error(`--rounds: expected a whole number from 1, got ${values.rounds}`)
const { only = '' } = values
const chosen = WORKLOADS.filter(({ name }) => name.startsWith(only))
if (chosen.length === 0) {
  const names = WORKLOADS.map(({ name }) => `"${name}"`).join(', ')
  throw new Error(`--only: expected the beginning of one of ${names}, got "${only}"`)
}
const sizes: Sizes = { ...given, rounds, clock: values.clock === 'cpu' ? 'cpu' : 'wall' }
const print = (line: string): boolean => process.stdout.write(`${line}\n`)

const machine = `${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Linux ${release()}, Node ${process.versions.node}`
print(
  `${machine}\nMedians of ${sizes.runs} runs; client and servers share the machine: compare ratios within one run.\n`,
)

const results: Result[] = []
for (const workload of chosen) {
  print(`${workload.name} (noise: ${formatNumber(noise())} ms)`)
  const rows = []
  for (const system of workload.systems) {
    const measured = await workload.run(system, sizes)
    for (const result of measured) {
      results.push({ workload: workload.name, system: system.name, ...result })
      rows.push([
        system.name,
        result.measure,
        formatNumber(result.median),
        `${formatNumber(result.least)} to ${formatNumber(result.most)}`,
      ])
    }
  }
  print(`${table(['system', 'measure', 'median', 'range'], rows)}\n`)
}

const folder = values.out ?? 'bench-results'
mkdirSync(folder, { recursive: true })
const file = `${folder}/${new Date().toISOString().replaceAll(':', '-')}.json`
writeFileSync(file, `${JSON.stringify({ machine, sizes, results }, null, 2)}\n`)
print(`Raw results: ${file}`)
