import type { SourceInfo } from '@godwit/admin-client'
import { expect, test } from '@jest/globals'
import { changeOf, fieldsOf, linesOf } from './settings.js'

const Visit: SourceInfo = {
  name: 'Visit',
  poll_interval: 300,
  partition_type: 'user',
  sync_type: 'incremental',
  queue: null,
  query_queue: null,
  cud_queue: null,
  sync_priority: 1000,
  retry_limit: 0,
  pass_through: false,
  push_notify: false,
  belongs_to: null,
}

test('only what differs is sent', () => {
  const fields = fieldsOf(Visit)
  expect(changeOf(Visit, fields)).toEqual({})
  const change = changeOf(Visit, { ...fields, poll_interval: '-1', queue: ' slow ', push_notify: 'true' })
  expect(change).toEqual({ poll_interval: -1, queue: 'slow', push_notify: true })
  expect(linesOf(Visit, change)).toEqual([
    'Interval: 300 → -1',
    'Queue: none → slow',
    'After a push by the backend: false → true',
  ])
})
