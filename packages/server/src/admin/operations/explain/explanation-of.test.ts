import type { Explanation } from '@godwit/protocol'
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { explanationOf } from './explanation-of.js'
import type { DeviceFacts, ExplainFacts } from './facts.js'

const AT = Date.UTC(2026, 0, 1)

const deviceOf = (client: string): fc.Arbitrary<DeviceFacts> =>
  fc
    .record({
      pulled: fc.boolean(),
      isWhole: fc.boolean(),
      includesObject: fc.boolean(),
      sent: fc.option(fc.boolean()),
      hadObject: fc.boolean(),
    })
    .map(({ pulled, isWhole, includesObject, sent, hadObject }) =>
      pulled
        ? {
            client,
            confirmed: { at: AT, isWhole, includesObject },
            ...(sent !== null && { sent: { at: AT, includesObject: sent || includesObject } }),
            hadObject,
          }
        : { client, hadObject: false },
    )

const devices: fc.Arbitrary<ExplainFacts['devices']> = fc.oneof(
  fc.constant({ kind: 'none_named' as const }),
  fc.constant({ kind: 'unknown' as const, client: 'x' }),
  fc.constant({ kind: 'of_another_user' as const, client: 'x', owner: 'grace' }),
  fc.record({
    kind: fc.constant('known' as const),
    devices: fc.integer({ min: 0, max: 3 }).chain(count => fc.tuple(...['1', '2', '3'].slice(0, count).map(deviceOf))),
    areMore: fc.constant(false),
  }),
)

const facts: fc.Arbitrary<ExplainFacts> = fc
  .record({
    user: fc.constant('ada'),
    userState: fc.constantFrom('known', 'unknown', 'locked', 'barred', 'missing'),
    source: fc.constant('Visit'),
    sourceState: fc.constantFrom('pulled', 'bulk_only', 'unknown'),
    partition: fc.constant('user:ada'),
    queries: fc.subarray(
      ['never_opened', 'no_query', 'never_queried', 'queried', 'query_failed', 'query_due', 'query_requested'].map(
        code => ({
          code,
          message: code,
        }),
      ),
    ),
    present: fc.constantFrom<ExplainFacts['present']>(
      { state: 'live', version: 7, attributes: {} },
      { state: 'gone', version: 7 },
      { state: 'never' },
    ),
    changes: fc.array(
      fc.record({
        state: fc.constantFrom('queued', 'started', 'in_doubt'),
        operation: fc.constantFrom('create', 'update', 'delete'),
        number: fc.integer({ min: 1, max: 9 }),
        client: fc.constantFrom('1', '2', 'elsewhere'),
        attempts: fc.integer({ min: 0, max: 3 }),
      }),
      { maxLength: 2 },
    ),
    devices,
  })
  // The server never confirms or sends what it does not know.
  .map(all =>
    all.present.state !== 'never' || all.devices.kind !== 'known'
      ? all
      : {
          ...all,
          devices: {
            ...all.devices,
            devices: all.devices.devices.map(({ confirmed, sent, ...one }) => ({
              ...one,
              ...(confirmed && { confirmed: { ...confirmed, includesObject: false } }),
              ...(sent && { sent: { ...sent, includesObject: false } }),
              hadObject: false,
            })),
          },
        },
  )

/** What a finding says about the verdict: the verdicts beside which it may stand. */
const BESIDE: { readonly [code: string]: readonly Explanation['on_device'][] } = {
  user_unknown: ['no'],
  user_missing: ['no'],
  user_locked: ['yes', 'delivered', 'no', 'until_next_pull', 'next_file'],
  user_barred: ['yes', 'delivered', 'no', 'until_next_pull', 'next_file'],
  source_unknown: ['no'],
  bulk_only: ['no', 'next_file'],
  object_present: ['yes', 'delivered', 'next_pull', 'next_file', 'no'],
  object_removed: ['yes', 'no', 'until_next_pull', 'next_file'],
  object_unknown: ['yes', 'no'],
  client_unknown: ['no'],
  client_of_another_user: ['no'],
  client_none_named: ['next_pull', 'next_file', 'no'],
  client_none: ['no'],
  client_has_it: ['yes', 'delivered', 'next_pull', 'no'],
  client_was_sent: ['delivered', 'next_pull', 'no', 'until_next_pull'],
  client_made_it: ['yes', 'no', 'until_next_pull'],
  client_has_not: ['no', 'until_next_pull'],
  client_behind: ['next_pull', 'no', 'until_next_pull'],
  client_never_pulled: ['next_pull', 'no', 'until_next_pull'],
}

/** What a verdict claims: one of these findings has to say so. */
const CLAIMS: { readonly [verdict: string]: readonly string[] } = {
  yes: ['client_has_it', 'client_made_it'],
  delivered: ['client_was_sent'],
  next_pull: ['client_behind', 'client_never_pulled', 'client_none_named'],
  next_file: ['bulk_only'],
  until_next_pull: ['client_behind'],
  no: [
    ...['user_unknown', 'user_missing', 'user_locked', 'user_barred', 'source_unknown', 'client_unknown'],
    ...['client_of_another_user', 'client_none', 'client_has_not', 'client_was_sent', 'client_never_pulled'],
    ...['client_behind', 'object_removed', 'object_unknown'],
  ],
}

test('no finding contradicts the verdict, whatever the facts', () => {
  const seen = new Set<string>()
  fc.assert(
    fc.property(facts, one => {
      const { on_device, findings } = explanationOf(one)
      const codes = findings.map(({ code }) => code)
      for (const code of codes) {
        seen.add(code)
        if (BESIDE[code]) expect([code, BESIDE[code]]).toEqual([code, expect.arrayContaining([on_device])])
      }
      seen.add(on_device)
      expect(codes.some(code => CLAIMS[on_device]?.includes(code))).toBe(true)
      if (codes.includes('client_has_it')) expect(codes).toContain('object_present')
      // A single device has one standing, which the verdict repeats.
      if (one.devices.kind === 'known' && one.devices.devices.length === 1 && one.userState === 'known')
        expect(on_device === 'no').toBe(!codes.some(code => PRESENT.has(code)) || isAbsent(on_device, codes))
    }),
    { numRuns: 5000 },
  )
  expect([...Object.keys(BESIDE), ...Object.keys(CLAIMS)].filter(name => !seen.has(name))).toEqual([])
})

/** Findings of an object that is, or comes to be, on the device, or is still there. */
const PRESENT = new Set([
  'client_has_it',
  'client_was_sent',
  'client_made_it',
  'client_behind',
  'client_never_pulled',
  'bulk_only',
])

const isAbsent = (verdict: string, codes: readonly string[]): boolean =>
  verdict === 'no' &&
  (codes.includes('object_removed') || codes.includes('object_unknown') || codes.includes('source_unknown'))
