import { verifies } from '@godwit/testing'
import { describe, expect, test } from '@jest/globals'
import type { OpenModel } from '../database/open-models.js'
import { definition } from '../testing/open-device.js'
import { inOrder } from './source-order.js'

/** Models with a priority, and what they belong to. */
const modelsOf = (given: Record<string, readonly [priority: number, ...owners: string[]]>) =>
  Object.entries(given).map(([name, [syncPriority, ...owners]], at) => {
    const belongsTo = Object.fromEntries(owners.map(owner => [`of ${owner}`, owner]))
    return { name, sourceId: at + 1, definition: definition(name, { syncPriority, belongsTo }) } as OpenModel
  })
const order = (given: Parameters<typeof modelsOf>[0]) =>
  inOrder(modelsOf(given)).map(group => group.map(({ name }) => name))

describe('sources are synchronized', () => {
  test('independent ones concurrently', () => {
    expect(order({ A: [1000], B: [1000], C: [1000] })).toEqual([['A', 'B', 'C']])
    expect(order({ A: [1000, 'B'], B: [1000], C: [1000] })).toEqual([['B', 'C'], ['A']])
  })

  test('lower priorities first, also those that own others', () => {
    verifies('model.properties.sync-priority.order')

    expect(order({ Owner: [1000], Child: [10, 'Owner'], Plain: [500], Late: [2000] })).toEqual([
      ['Owner'],
      ['Child'],
      ['Plain'],
      ['Late'],
    ])
    expect(order({ Owner: [1], Child: [1, 'Owner'], Plain: [1000] })).toEqual([['Owner'], ['Child'], ['Plain']])
  })

  test('owners before their children, whatever their priorities', () => {
    expect(order({ Leaf: [1, 'Branch'], Branch: [3000, 'Root'], Root: [2000], Other: [2] })).toEqual([
      ['Root'],
      ['Branch'],
      ['Leaf'],
      ['Other'],
    ])
    expect(order({ Child: [1000, 'Owner', 'Unknown'], Owner: [5] })).toEqual([['Owner'], ['Child']])
  })

  test('cycles of owners one by one, before their children', () => {
    expect(order({ Below: [1000, 'Other'], One: [1000, 'Other'], Other: [1000, 'One'] })).toEqual([
      ['One'],
      ['Other'],
      ['Below'],
    ])
    expect(order({ A: [1000], Own: [1000, 'Own'] })).toEqual([['A', 'Own']])
    expect(order({ A: [1000, 'B'], B: [1000, 'C'], C: [1000, 'A'] })).toEqual([['A'], ['C'], ['B']])
  })
})
