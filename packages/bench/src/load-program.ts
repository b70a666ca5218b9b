#!/usr/bin/env node
import { readOptions, USAGE } from './load/options.js'
import { reportOf, textOf } from './load/report.js'
import { runLoad } from './load/run-load.js'

/** Measures the costs of a sync, an idle device and an event stream with many devices. Exits with 1 if anything failed. */

// Exit handlers stop servers and remove folders; signals would skip them.
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
