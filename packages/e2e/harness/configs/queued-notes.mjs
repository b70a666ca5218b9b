// A source with a slow backend, which appends a line to `calls` at the start and the end of each call.
// A create of the note `held` waits while the file `hold` exists.
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { defineSource } from '@godwit/server'

const folder = process.env.NOTES_FOLDER ?? ''
const calls = join(folder, 'calls')
const hold = join(folder, 'hold')

const ended = () => {
  const lines = existsSync(calls) ? readFileSync(calls, 'utf8').split('\n') : []
  return lines.filter(line => line.startsWith('end ')).map(line => line.slice('end '.length))
}

export default {
  sources: [
    defineSource({
      name: 'Note',
      queue: 'notes',
      pollInterval: -1,
      timeout: 10,
      query: () => Object.fromEntries(ended().map(text => [`real ${text}`, { text }])),
      async create({ text }) {
        appendFileSync(calls, `begin ${text}\n`)
        while (text === 'held' && existsSync(hold)) await after(20)
        await after(20)
        appendFileSync(calls, `end ${text}\n`)
        return `real ${text}`
      },
    }),
  ],
  limits: { drainConcurrency: 1, jobLease: 1, sweepInterval: 0.5 },
}
