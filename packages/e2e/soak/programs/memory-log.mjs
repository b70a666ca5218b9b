// Imported by a server under a long load: collects garbage every MEMORY_LOG_SECONDS and adds a line of what is reachable then, in bytes, to the file MEMORY_LOG.
import { appendFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const { MEMORY_LOG, MEMORY_LOG_SECONDS } = process.env

function note() {
  globalThis.gc()
  const { heapUsed, external, heapTotal } = process.memoryUsage()
  appendFileSync(MEMORY_LOG, `${JSON.stringify({ live: heapUsed + external, reserved: heapTotal })}\n`)
}

if (isMainThread) setInterval(note, Number(MEMORY_LOG_SECONDS) * 1000).unref()
