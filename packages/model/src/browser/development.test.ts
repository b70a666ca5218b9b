import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { DevelopmentWarnings } from './development.js'

const warn = jest.spyOn(console, 'warn').mockImplementation(() => {})
const scope = globalThis as { isSecureContext?: boolean; origin?: string }
const answer = (type: string | undefined, status = 200) =>
  new Response('', { status, headers: type === undefined ? {} : { 'content-type': type } })
const warningsOf = (response: Response, storage: 'opfs' | 'memory' = 'opfs') => {
  const warnings = new DevelopmentWarnings('http://localhost:5173/', { storage })
  warnings.answered(response)
  warnings.answered(response)
  return warn.mock.calls.map(([text]) => String(text))
}

beforeEach(() => {
  Object.assign(scope, { isSecureContext: true, origin: 'http://localhost:5173' })
})
afterEach(() => {
  warn.mockClear()
  delete scope.isSecureContext
  delete scope.origin
})

test.each([
  ['text/html; charset=utf-8', 200],
  ['text/html', 404],
  ['application/json', 404],
  ['text/plain', 500],
] as const)(
  'an answer of the type %s with the status %s is of no Godwit server, which is said once',
  (type, status) => {
    expect(warningsOf(answer(type, status))).toEqual([
      expect.stringContaining(`http://localhost:5173/ responds, but is not a Godwit server: status ${status}, `),
    ])
  },
)

test.each([
  ['application/json', 200],
  ['application/octet-stream', 206],
  ['application/problem+json', 401],
  ['application/problem+json; charset=utf-8', 503],
  ['text/event-stream', 200],
] as const)('an answer of the type %s with the status %s is one of a Godwit server', (type, status) => {
  expect(warningsOf(answer(type, status))).toEqual([])
})

test.each([
  ['https://app.example', true, 0],
  ['http://localhost.example', true, 0],
  ['https://app.localhost:8443', true, 1],
  ['http://127.0.0.1:5173', true, 1],
  ['http://[::1]', true, 1],
  ['http://192.168.1.7', false, 1],
])('a page of %s, secure: %s, gets %s warnings', (origin, isSecureContext, count) => {
  Object.assign(scope, { origin, isSecureContext })
  expect(warningsOf(answer('text/html'))).toHaveLength(count)
})

test('data in memory is said, with the reason', () => {
  expect(warningsOf(answer('application/json'), 'memory')).toEqual([
    expect.stringMatching(/^Godwit: Data is stored in memory only and is lost when this page closes: .+\.$/),
  ])
})
