import { expect, test } from '@jest/globals'
import type { ApiOperation } from './document.js'
import { Judge } from './judge.js'

const operation: ApiOperation = {
  method: 'GET',
  path: '/things',
  operationId: 'things.list',
  'x-roles': ['reader'],
  responses: {
    '200': { content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } },
    '404': {
      content: {
        'application/problem+json': {
          schema: { type: 'object', required: ['code'], properties: { code: { enum: ['thing_not_found'] } } },
        },
      },
    },
  },
}
const judge = new Judge({ operations: [operation], schemas: { Thing: { type: 'object', required: ['name'] } } })

const fault = (status: number, body: string, type = 'application/json', headers = {}) =>
  judge.fault(operation, {
    status,
    headers: { 'content-type': type, 'x-content-type-options': 'nosniff', 'cache-control': 'no-store', ...headers },
    body: Buffer.from(body),
  })

test('accepts answers that the document describes', () => {
  expect(fault(200, '{"name":"one"}')).toBeUndefined()
  expect(fault(404, '{"code":"thing_not_found"}', 'application/problem+json')).toBeUndefined()
})

test('reports every kind of answer that the document does not describe', () => {
  expect(fault(500, 'oops')).toContain('a 500')
  expect(fault(418, '{}')).toContain('418 is no status of it')
  expect(fault(200, '{}')).toContain('/name is required')
  expect(fault(200, 'no json')).toContain('not valid JSON')
  expect(fault(200, 'text', 'text/plain')).toContain('200 is text/plain')
  expect(fault(404, '{"code":"other"}', 'application/problem+json')).toContain('got "other"')
  expect(fault(200, '{"name":"one"}', 'application/json', { 'cache-control': 'public' })).toContain('cache-control')
})
