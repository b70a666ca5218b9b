// How soon pages of the console show something over many objects, and what an open console costs pulls: objects, users, devices.
//   console:figures 1000000 2000 500
import { runBundle } from '../../harness/programs/run-bundle.mjs'

await runBundle('console/figures')
