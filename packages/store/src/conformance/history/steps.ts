import type { ObjectMap } from '@godwit/protocol'
import fc from 'fast-check'
import type { Batch } from '../../collections.js'
import { batches, objectMaps } from '../arbitraries.js'
import { DEVICES } from './device.js'

/** Operations on a collection. */
export type WriteStep =
  | { readonly step: 'apply'; readonly batch: Batch }
  /** A query's result, with writes while it runs. */
  | { readonly step: 'query'; readonly answer: ObjectMap; readonly meanwhile: readonly Batch[] }
  /** Compacts up to this share of the head's version. */
  | { readonly step: 'compact'; readonly share: number; readonly limit: number }
  | { readonly step: 'drop' }

/** Operations on a collection and its readers. */
export type Step =
  | WriteStep
  | { readonly step: 'pull'; readonly device: number; readonly limit: number; readonly isLost: boolean }
  | { readonly step: 'reset'; readonly device: number }
  | { readonly step: 'backup' }
  /** Restores the last backup, which undoes all later writes. */
  | { readonly step: 'restore' }

const device = fc.integer({ min: 0, max: DEVICES - 1 })
const few = { maxLength: 2 }

const applying = fc.record({ step: fc.constant('apply' as const), batch: batches })
const querying = fc.record({
  step: fc.constant('query' as const),
  answer: objectMaps,
  meanwhile: fc.array(batches, few),
})
const compacting = fc.record({
  step: fc.constant('compact' as const),
  share: fc.double({ min: 0, max: 1, noNaN: true }),
  limit: fc.integer({ min: 0, max: 3 }),
})
const pulling = fc.record({
  step: fc.constant('pull' as const),
  device,
  limit: fc.integer({ min: 1, max: 3 }),
  isLost: fc.integer({ min: 0, max: 4 }).map(dice => dice === 0),
})

export const histories: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    { weight: 30, arbitrary: applying },
    { weight: 5, arbitrary: querying },
    { weight: 4, arbitrary: compacting },
    { weight: 1, arbitrary: fc.constant<Step>({ step: 'drop' }) },
    { weight: 3, arbitrary: fc.constant<Step>({ step: 'backup' }) },
    { weight: 3, arbitrary: fc.constant<Step>({ step: 'restore' }) },
    { weight: 1, arbitrary: fc.record({ step: fc.constant('reset' as const), device }) },
    { weight: 50, arbitrary: pulling },
  ),
  { minLength: 1, maxLength: 60, size: 'max' },
)
