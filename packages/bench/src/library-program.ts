import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BATCH, batchText, groupText, idOf, newRow, noteText, storedRow } from './device-rows.js'
import { LIBRARIES } from './libraries/libraries.js'
import type { OpenLibrary, RowCount } from './libraries/library.js'
import { type Figure, figure } from './measure.js'

/** Measures one library in a separate process; arguments: NAME OBJECTS RUNS CLOCK. Prints the figures as JSON. */
const [name = '', objects = '100000', runs = '3', clock = 'wall'] = process.argv.slice(2)

/** Returns milliseconds. Processor time depends little on other load of the machine, but excludes waiting for the disk. */
const now =
  clock === 'cpu' ? () => process.cpuUsage().user / 1000 + process.cpuUsage().system / 1000 : () => performance.now()
const count = Number(objects)
const MILLISECONDS = 250
const RUNS_PER_CHECK = 20

type Measurement = readonly [measure: string, figure: Figure]

const directory = mkdtempSync(join(tmpdir(), 'godwit-bench-device-'))
try {
  const library = await LIBRARIES[name]?.()
  if (library === undefined) throw new Error(`expected one of ${Object.keys(LIBRARIES).join(', ')}, got ${name}`)
  const open = await library.open(
    directory,
    Array.from({ length: count }, (_, index) => storedRow(index)),
  )
  const figures = await measureAll(open)
  await open.close()
  process.stdout.write(JSON.stringify(figures))
} finally {
  rmSync(directory, { recursive: true, force: true })
}

async function measureAll(open: OpenLibrary): Promise<readonly Measurement[]> {
  let made = 0
  const index = shuffledNumbers(count)
  const page = shuffledNumbers(20)
  const figures: Measurement[] = [
    ['find indexed', await measureRate(() => checkCount(open.findIndexed(groupText(index())), count / 1010))],
    ['find unindexed', await measureRate(() => checkCount(open.findUnindexed(groupText(index())), count / 1010))],
  ]
  const either = open.findEither?.bind(open)
  if (either) figures.push(['find either', await measureRate(() => checkCount(either(50, count - 50), 99))])
  figures.push(['first by id', await measureRate(() => checkCount(open.byId(idOf(index())), 1))])
  const pageUnindexed = open.pageUnindexed?.bind(open)
  if (pageUnindexed) figures.push(['page unindexed', await measureRate(() => checkCount(pageUnindexed(page()), 50))])
  figures.push(
    ['page indexed', await measureRate(() => checkCount(open.pageIndexed(page()), 50))],
    ['update 1', await measureRate(turn => open.updateOne(idOf(index()), noteText(turn)))],
    ['create 1', await measureRate(() => open.createOne(newRow(made++)))],
  )
  figures.push([
    'create 10k, objects/s',
    await inRuns(async () => {
      const rows = Array.from({ length: BATCH }, () => newRow(made++))
      return BATCH / (await took(() => open.createMany(rows)))
    }),
  ])
  figures.push([
    'delete_all of 10k, ms',
    await inRuns(async run => 1000 * (await took(() => checkCount(open.removeBatch(batchText(run)), BATCH)))),
  ])
  return figures
}

/** Measures operations per second in several runs; the first is a warm-up. */
function measureRate(operation: (turn: number) => unknown): Promise<Figure> {
  let turn = 0
  return inRuns(async () => {
    const began = now()
    let done = 0
    while (now() < began + MILLISECONDS) {
      // Reading the clock costs as much as a fast operation, so it is read once per batch.
      for (const until = done + (done < RUNS_PER_CHECK ? 1 : RUNS_PER_CHECK); done < until; done++) {
        const result = operation(turn++)
        if (result instanceof Promise) await result
      }
    }
    return (1000 * done) / (now() - began)
  })
}

async function inRuns(run: (number: number) => Promise<number>): Promise<Figure> {
  const values: number[] = []
  for (let number = 0; number <= Number(runs); number++) values.push(await run(number))
  return figure(values.slice(1))
}

async function took(operation: () => unknown): Promise<number> {
  const began = now()
  await operation()
  return (now() - began) / 1000
}

function checkCount(answered: RowCount, about: number): unknown {
  if (answered instanceof Promise) return answered.then(value => check(value, about))
  return check(answered, about)
}

function check(value: number, about: number): void {
  if (Math.abs(value - about) > 1) throw new Error(`${name} answered ${value} rows, expected about ${about}`)
}

/** Returns numbers below a bound in a pseudorandom order, the same in each process. */
function shuffledNumbers(bound: number): () => number {
  let state = 1
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) % bound
  }
}
