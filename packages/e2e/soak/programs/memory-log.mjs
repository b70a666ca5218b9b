// Imported by a server under test: every MEMORY_LOG_SECONDS, collects garbage and appends the reachable bytes as a line to the file MEMORY_LOG.
import { appendFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const { MEMORY_LOG, MEMORY_LOG_SECONDS } = process.env

function note() {
  globalThis.gc()
  const { heapUsed, external, heapTotal } = process.memoryUsage()
  appendFileSync(MEMORY_LOG, `${JSON.stringify({ live: heapUsed + external, reserved: heapTotal })}\n`)
}

if (isMainThread) setInterval(note, Number(MEMORY_LOG_SECONDS) * 1000).unref()
