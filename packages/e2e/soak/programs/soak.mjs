// Runs a program of packages/e2e/soak in a process whose collector can be called; it prints what it measured as JSON.
//   heap-child STORE TIMES FLAT    bytes that a call of each kind leaves in the heap, once it is flat
//   stream-child STORE OBJECTS    the heap while a query streams that number of objects
// STORE is memory, SQLite or Redis, which is started for it.
import { given, runBundle } from '../../harness/programs/run-bundle.mjs'

const [program, ...words] = given
await runBundle(`soak/${program}`, { words, flags: ['--expose-gc'] })
