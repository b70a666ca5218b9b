#!/usr/bin/env node
import { readOptions, USAGE } from './load/options.js'
import { reportOf, textOf } from './load/report.js'
import { runLoad } from './load/run-load.js'

/** Many devices at a server: what a sync, an idle device and an event stream cost. Ends with 1 if anything failed. */

// Servers and folders end with this process, but no signal would let them.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(2))

try {
  const options = readOptions(process.argv.slice(2))
  if (options === 'help') process.stdout.write(USAGE)
  else {
    const report = reportOf(await runLoad(options))
    process.stdout.write(`${options.json ? JSON.stringify(report) : textOf(report)}\n`)
    if (report.failed > 0) process.exitCode = 1
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 2
}
