// Runs a program of packages/e2e/soak with --expose-gc; it prints its measurements as JSON.
//   heap-child STORE TIMES FLAT    bytes that each kind of call retains in the heap after a warm-up
//   stream-child STORE OBJECTS    the heap while a query streams this number of objects
// STORE is memory, SQLite or Redis; Redis is started by the program.
import { given, runBundle } from '../../harness/programs/run-bundle.mjs'

const [program, ...words] = given
await runBundle(`soak/${program}`, { words, flags: ['--expose-gc'] })
