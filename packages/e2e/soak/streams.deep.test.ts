import { amount } from '@godwit/testing'
import { expect, test } from '@jest/globals'
import { folderPerTest } from '../harness/folder-per-test.js'
import { inRepository, start } from '../harness/process.js'
import type { StreamsReport } from './streams/run-streams.js'

const folder = folderPerTest()

/** Ten thousand need 20,000 open files. */
const STREAMS = amount({ deep: 150, night: 10_000 })
const SDKS = 8

test(`${STREAMS} listening devices pull each change once, and nothing that they have, over a restart`, async () => {
  const words = ['--streams', `${STREAMS}`, '--sdks', `${SDKS}`, '--poll', '100000', '--no-limit']
  const program = start(inRepository('packages/e2e/soak/programs/streams.mjs'), words, { TMPDIR: folder.path })
  const { code } = await program.exit
  const { out, error } = program.output()
  expect([code, error.includes('Error')]).toEqual([0, false])
  const { phases } = JSON.parse(out) as StreamsReport
  const requested = Object.fromEntries(
    phases.map(({ name, pulls, hinted, polled, queries }) => [name, { pulls, hinted, polled, queries }]),
  )
  const opened = Object.fromEntries(phases.map(({ name, streamRequests }) => [name, streamRequests]))
  const light = STREAMS - SDKS
  const nothing = { pulls: 0, hinted: 0, polled: 0, queries: 0 }
  expect(requested).toMatchObject({
    // The first sync of two sources; other devices that join cause no more pulls.
    join: { polled: 2 * light, hinted: 0 },
    nothing,
    'a shared change': { ...nothing, pulls: STREAMS, hinted: light },
    // Only the user's other device pulls.
    "a user's write": { ...nothing, pulls: 1 },
    // Devices listen again and are up to date, except the one that wrote:
    // it cannot know whether others wrote before, and pulls.
    'a restart': { ...nothing, pulls: 1 },
    'a restart with a change': { ...nothing, pulls: STREAMS, hinted: light },
    // One device's pull queries the backend; the others pull its result without a query.
    'a source that never answers the same': { ...nothing, pulls: SDKS, queries: 1 },
  })
  // On a busy machine a stream may break and be opened again.
  for (const name of ['a restart', 'a restart with a change']) {
    expect(opened[name]).toBeGreaterThanOrEqual(STREAMS)
    expect(opened[name]).toBeLessThan(STREAMS * 1.05)
  }
  const often = requested['ten shared changes a second']
  // There are 100 changes in 10 seconds: a device that fetched after each hint would send 50 requests.
  expect(often?.hinted).toBeLessThan(50 * light)
  expect(phases.flatMap(({ others }) => others.failed)).toEqual([])
}, 3_600_000)
