#!/usr/bin/env node
import { readOptions, USAGE } from './load/options.js'
import { reportOf, textOf } from './load/report.js'
import { runLoad } from './load/run-load.js'

/** Runs many devices against a server, to measure a sync, an idle device and an event stream. Exits with 1 if anything failed. */

// Servers and folders are cleaned up at exit, which signals would skip.
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
