// Runs a mixed load of many devices for minutes or hours. Prints the measurements as JSON; exits with 1 if anything was lost or failed.
//   mixed --minutes 120 --devices 2000 --seed 7
import { runBundle } from '../../harness/programs/run-bundle.mjs'

await runBundle('soak/mixed/program')
