// Thousands of open event streams at a server that is changed and restarted; prints what it measured as JSON and ends with 1 if a device asked for
// what it had, or others waited for over a second.
//   streams --streams 10000 --store sqlite --poll 60 [--longest 1000] [--no-limit]
import { runBundle } from '../../harness/programs/run-bundle.mjs'

await runBundle('soak/streams/program')
