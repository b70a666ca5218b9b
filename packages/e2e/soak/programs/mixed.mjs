// A mixed load of many devices at a server, for minutes or hours; prints what it measured as JSON and ends with 1 if anything was lost or failed.
//   mixed --minutes 120 --devices 2000 --seed 7
import { runBundle } from '../../harness/programs/run-bundle.mjs'

await runBundle('soak/mixed/program')
