import { expect, test } from '@jest/globals'
import { Histograms } from './family.js'

test('a value is counted in the first bucket that it does not exceed, and buckets are cumulative', () => {
  const family = new Histograms({ name: 'size', help: 'Sizes.', label: 'kind' }, [1, 5])
  for (const value of [0, 1, 1.5, 5, 6, 1e9]) family.of('a').observe(value)
  expect(family.samples()).toEqual([
    { metricName: 'size_bucket', labels: { kind: 'a', le: '1' }, value: 2 },
    { metricName: 'size_bucket', labels: { kind: 'a', le: '5' }, value: 4 },
    { metricName: 'size_bucket', labels: { kind: 'a', le: '+Inf' }, value: 6 },
    { metricName: 'size_sum', labels: { kind: 'a' }, value: 1_000_000_013.5 },
    { metricName: 'size_count', labels: { kind: 'a' }, value: 6 },
  ])
})
