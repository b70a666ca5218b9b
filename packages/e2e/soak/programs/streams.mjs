// Opens thousands of event streams on a server, changes data and restarts the server. Prints the measurements as JSON; exits with 1 if a device
// requested data that it had, or if other requests took more than a second.
//   streams --streams 10000 --store sqlite --poll 60 [--longest 1000] [--no-limit]
import { runBundle } from '../../harness/programs/run-bundle.mjs'

await runBundle('soak/streams/program')
