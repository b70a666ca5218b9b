import { isSyncError } from '@godwit/protocol'
import { afterAll, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { temporaryDirectories } from '../testing/open-device.js'
import { RemoteWorld } from './world.fixture.js'

const directories = temporaryDirectories()
afterAll(() => directories.removeAll())

type Step =
  | { readonly kind: 'create' | 'grow' | 'visit' | 'again'; readonly page: number }
  | { readonly kind: 'deliver' | 'drop' | 'repeat'; readonly at: number }
  | { readonly kind: 'pass'; readonly seconds: number }
  | { readonly kind: 'kill' | 'replace' }
  | { readonly kind: 'die'; readonly statement: number }

const page = fc.constantFrom(0, 1)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constantFrom('create' as const, 'grow' as const, 'visit' as const), page }),
  },
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant('deliver' as const),
      at: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat({ max: 12 })),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom('drop' as const, 'repeat' as const), at: fc.nat({ max: 3 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('pass' as const), seconds: fc.constantFrom(1, 2, 6, 12) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('kill' as const, 'replace' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('again' as const), page }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('die' as const), statement: fc.integer({ min: 1, max: 30 }) }),
  },
)

/** A call, sent again under its number until it is answered. */
class RepeatedCall {
  result: unknown
  failed: unknown
  isOver = false

  constructor(ask: () => Promise<unknown>, repeat: (error: never) => Promise<unknown>) {
    const take = (promise: Promise<unknown>): void =>
      void promise.then(
        result => {
          this.result = result
          this.isOver = true
        },
        error => {
          if (isSyncError(error) && error.code === 'owner_silent') return take(repeat(error as never))
          this.failed = error
          this.isOver = true
        },
      )
    take(ask())
  }
}

async function run(steps: readonly Step[]): Promise<void> {
  const world = new RemoteWorld(directories.make())
  await world.open()
  await world.settle()
  const counter = world.owner?.sdk.models.City.create({ name: 'counter' }).id ?? ''
  const requested: { readonly kind: Step['kind']; readonly tag: string; readonly call: RepeatedCall }[] = []
  const ask = (kind: 'create' | 'grow' | 'visit', at: number): void => {
    const tag = `tag ${requested.length}`
    const { device } = world.pages[at] as (typeof world.pages)[number]
    const { models, actions } = device
    const question = {
      create: () => models.City.create({ name: tag }),
      grow: () => actions.grow(counter),
      visit: () => actions.visitNew(tag, tag),
    }[kind]
    requested.push({ kind, tag, call: new RepeatedCall(question, error => device.repeat(error)) })
  }
  for (const one of steps) {
    if (one.kind === 'create' || one.kind === 'grow' || one.kind === 'visit') ask(one.kind, one.page)
    else if (one.kind === 'again') world.connect(world.pages[one.page] as (typeof world.pages)[number])
    else if (one.kind === 'deliver') world.deliver(one.at)
    else if (one.kind === 'drop') world.packets.splice(one.at, 1)
    else if (one.kind === 'repeat') world.packets.push(...world.packets.slice(one.at, one.at + 1))
    else if (one.kind === 'pass') world.timers.pass(one.seconds * 1000)
    else if (one.kind === 'die') world.dieAt(one.statement)
    else {
      if (one.kind === 'kill') await world.kill()
      await world.open()
    }
    await Promise.resolve()
  }
  // All is well from here on: an owner that lives, and packets that arrive.
  await world.kill()
  await world.open()
  for (let round = 0; round < 40 && requested.some(({ call }) => !call.isOver); round++) {
    await world.settle()
    world.timers.pass(1000)
  }
  const { sdk } = world.owner ?? {}
  for (const { kind, tag, call } of requested) {
    expect({ tag, isOver: call.isOver, failed: call.failed }).toEqual({ tag, isOver: true, failed: undefined })
    if (kind === 'grow') continue
    expect(sdk?.models.City.count({ conditions: { name: tag } })).toBe(1)
    expect(sdk?.models.Visit.count({ conditions: { note: tag } })).toBe(kind === 'visit' ? 1 : 0)
  }
  expect(sdk?.models.City.get(counter)?.population).toBe(requested.filter(({ kind }) => kind === 'grow').length)
  // An acknowledgment that was lost leaves its note for a day.
  world.timers.pass(26 * 60 * 60 * 1000)
  expect(world.notes()).toBe(0)
  await world.close()
}

test('a write is done once under loss, repetition, hand-over and crash', async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60 }), run), {
    numRuns: Number(process.env['RUNS'] ?? 25),
    endOnFailure: true,
  })
})
