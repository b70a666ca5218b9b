import { expect, test } from '@jest/globals'
import { gate, job, until, untilNone } from '../conformance/jobs/suite.js'
import { memoryJobTable } from '../memory/jobs.js'
import { embeddedJobs } from './embedded-jobs.js'
import type { JobTable } from './job-table.js'

/** Two engines over one table with a manual clock, like two processes over one file. */
function twoEngines() {
  const clock = { now: 1_700_000_000_000 }
  const table = memoryJobTable(() => clock.now)
  return { clock, one: embeddedJobs(table), two: embeddedJobs(table) }
}

test('the end of a job that another worker took over changes nothing', async () => {
  const { clock, one, two } = twoEngines()
  const [slow, quick] = [gate(), gate()]
  const stalled = await one.work(async () => slow.passed, { lease: 60_000 })
  await one.enqueue(job('one'))
  await until(async () => (await one.get('mail', 'one'))?.state === 'running')
  clock.now += 60_000
  const attempts: number[] = []
  const second = await two.work(async given => {
    attempts.push(given.attempts)
    await quick.passed
  })
  // It counts as a failed attempt, so the next one comes after a pause.
  clock.now += 1000
  await two.enqueue(job('two', { delay: 1 }))
  await until(() => attempts.length === 1)
  slow.open()
  await stalled.close()
  expect(await two.get('mail', 'one')).toMatchObject({ state: 'running', attempts: 2 })
  quick.open()
  clock.now += 1
  await two.enqueue(job('two'))
  await untilNone(two)
  await second.close()
})

test('a worker that loses its job is aborted', async () => {
  const { one, two } = twoEngines()
  const told = gate()
  let isTold = false
  const worker = await one.work(
    async (_, { signal }) => {
      signal.addEventListener('abort', told.open)
      await told.passed
      isTold = true
    },
    { lease: 30 },
  )
  await one.enqueue(job('one'))
  await until(async () => (await one.get('mail', 'one'))?.state === 'running')
  await two.clear()
  await until(() => isTold)
  await worker.close()
})

test('an idle worker does not query its table until a job is due', async () => {
  const table = memoryJobTable(Date.now)
  let asked = 0
  const counted: JobTable = {
    ...table,
    read: work => {
      asked++
      return table.read(work)
    },
  }
  const jobs = embeddedJobs(counted)
  const worker = await jobs.work(async () => undefined)
  await jobs.enqueue(job('later', { delay: 3_600_000 }))
  await new Promise(resolve => setTimeout(resolve, 30))
  const before = asked
  await new Promise(resolve => setTimeout(resolve, 50))
  expect(asked).toBe(before)
  await worker.close()
  await jobs.close()
})

test('jobs of a clock that was ahead are due once the clock is set back', async () => {
  const { clock, one, two } = twoEngines()
  const passed = gate()
  await one.enqueue(job('later', { delay: 60_000 }))
  const alive = await one.work(async () => passed.passed, { lease: 60_000, queues: ['other'] })
  await one.enqueue(job('runs', { queue: 'other' }))
  await until(async () => (await one.get('other', 'runs'))?.state === 'running')
  clock.now -= 86_400_000
  const ran: string[] = []
  const worker = await two.work(async ({ id }) => void ran.push(id), { lease: 60_000 })
  await until(() => ran.length > 0)
  expect(ran).toEqual(['later'])
  // Its worker may still exist, so the job is lost only after another lease.
  expect(await two.get('other', 'runs')).toMatchObject({ state: 'running', attempts: 1 })
  clock.now += 60_000
  await two.enqueue(job('wakes'))
  await until(async () => (await two.get('other', 'runs'))?.state !== 'running')
  passed.open()
  await Promise.all([alive.close(), worker.close()])
})

test('a job enqueued while a worker goes idle is not delayed', async () => {
  for (let turns = 0; turns < 12; turns++) {
    const { one } = twoEngines()
    await one.enqueue(job('later', { delay: 3_600_000 }))
    const ran = gate()
    const worker = await one.work(async () => ran.open())
    for (let turn = 0; turn < turns; turn++) await undefined
    await one.enqueue(job('now'))
    await ran.passed
    await worker.close()
  }
})
