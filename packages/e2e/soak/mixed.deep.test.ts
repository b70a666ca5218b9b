import { join } from 'node:path'
import { amount } from '@godwit/testing'
import { expect, test } from '@jest/globals'
import { folderPerTest } from '../harness/folder-per-test.js'
import { runSoak } from './mixed/run-soak.js'

const MiB = 1024 * 1024
const folder = folderPerTest()

const MINUTES = amount({ deep: 1, night: 60 })

test(
  `mixed work by 2,000 devices for ${MINUTES} min loses nothing, and no resource grows`,
  async () => {
    const report = await runSoak({
      store: join(folder.path, 'soak', 'soak.sqlite'),
      minutes: MINUTES,
      devices: 2000,
      seed: 1,
    })
    const { failures, lost, errors, grown, latencies, resident, live, handles, storeSize, tables } = report
    process.stderr.write(
      `${JSON.stringify({ actions: report.actions, latencies, resident, live, handles, storeSize, tables })}\n`,
    )
    expect({ failures, lost, errors, grown }).toEqual({ failures: [], lost: [], errors: [], grown: [] })
    expect(report.replaced).toBeGreaterThan(100)
    expect(report.compared).toBeGreaterThan(100)
    expect(resident.end).toBeLessThan(resident.middle * 1.25 + 32 * MiB)
    expect(live.end).toBeLessThan(live.middle * 1.1 + 8 * MiB)
    expect(handles.end).toBeLessThan(handles.middle * 1.5 + 64)
    expect(storeSize.end).toBeLessThan(storeSize.middle * 2 + 32 * MiB)
  },
  2 * 3_600_000,
)
