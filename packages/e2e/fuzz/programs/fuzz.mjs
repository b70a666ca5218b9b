// Sends random requests to every route of a server and holds each answer against the server's own /openapi.json.
//   --seed N        the same seed sends the same requests (1)
//   --requests N    how many (20000)
//   --store NAME    memory, sqlite or redis, which is started for it (memory)
import { parseArgs } from 'node:util'
import { given, runBundle } from '../../harness/programs/run-bundle.mjs'

const { values } = parseArgs({
  args: given,
  options: {
    seed: { type: 'string', default: '1' },
    requests: { type: 'string', default: '20000' },
    store: { type: 'string', default: 'memory' },
  },
})
await runBundle('fuzz/child', { words: [values.seed, values.requests, values.store] })
