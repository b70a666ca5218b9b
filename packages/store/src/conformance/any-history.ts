import type { Property } from './check.js'
import { DEVICES, type Fault } from './history/device.js'
import type { Step } from './history/steps.js'
import { HistoryWorld } from './history/world.js'
import { isCaught, property } from './property.js'
import { COLLECTION, type Conformance, canonical, headOf, type Suite, suiteOf, sure } from './suite.js'

export function describeAnyHistory(suite: Suite): void {
  suite.describe('any history', () => {
    const name = 'is read by every device to its end, whatever is written, lost, compacted, dropped or restored'
    property(suite, name, () => convergence(suite))
  })
}

/** Reader faults that the property must detect. */
const FAULTS: readonly Fault[] = [
  'skipEveryTombstoneFromZero',
  'compareFloorWithPosition',
  'ignoreMarks',
  'moveBaseWithEachPage',
  'keepRowsOfOtherPasses',
]

/** Shows that the property detects readers with planted faults. Runs only once, on the fastest store. */
export function describePlantedFaults(conformance: Conformance): void {
  const suite = suiteOf(conformance)
  suite.describe('a reader with a planted fault', () => {
    for (const fault of FAULTS)
      suite.test(
        `does not converge: ${fault}`,
        async () => suite.expect(await isCaught(10_000, await convergence(suite, fault))).toBe(true),
        120_000,
      )
  })
}

async function convergence(suite: Suite, fault?: Fault): Promise<Property<readonly Step[]>> {
  const { histories } = await import('./history/steps.js')
  return [histories, steps => converge(suite, steps, fault)]
}

async function converge(suite: Suite, steps: readonly Step[], fault?: Fault): Promise<void> {
  const world = new HistoryWorld(suite.open, fault)
  try {
    for (const step of steps) await world.take(step)
    for (let device = 0; device < DEVICES; device++) await readToTheEnd(suite, world, device)
  } finally {
    await world.close()
  }
}

const TURNS = 200

/** Without further writes, a device reaches the end, and its copy then equals the collection. */
async function readToTheEnd({ expect }: Suite, world: HistoryWorld, device: number): Promise<void> {
  let isAtEnd = false
  for (let turn = 0; turn < TURNS && !isAtEnd; turn++) {
    const page = await world.pull({ device, limit: 2, isLost: false })
    isAtEnd = page.ends && page.rows.length === 0
  }
  expect(isAtEnd).toBe(true)
  const scene = await world.scene()
  const { count, checksum } = await headOf(scene)
  const copy = sure(world.devices[device])
  const { rows } = await scene.store.collections.list(COLLECTION, { limit: 1000 })
  expect(canonical([...copy.rows()].sort(byId))).toBe(canonical([...rows].sort(byId)))
  expect([copy.rows().length, copy.checksum]).toEqual([count, checksum])
}

const byId = (left: { readonly id: string }, right: { readonly id: string }) => (left.id < right.id ? -1 : 1)
