import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { RETRYABLE_CODES } from '../packages/protocol/src/errors/codes.js'
import { errorsPage } from '../packages/protocol/src/errors/errors-page.js'
import { ERROR_CODES } from '../packages/protocol/src/errors/meanings.js'
import type { RouteLine } from '../packages/protocol/src/route.js'
import { routes } from '../packages/protocol/src/routes.js'
import { wireContract } from '../packages/protocol/src/wire.fixture.js'
import { root } from './workspace.js'

const pinned = JSON.parse(readFileSync(join(root, 'packages/protocol/src/wire.pins.json'), 'utf8')) as object

/**
 * Pins the wire contract that clients rely on. Additions are pinned by `node scripts/wire-pins.ts`; any other change needs a new version, with its
 * history in version.ts.
 */
test.each(Object.keys(wireContract()))('%s of the wire are the pinned ones', part => {
  expect(json(wireContract())[part]).toEqual((pinned as Readonly<Record<string, unknown>>)[part])
})

test('no part of the wire is pinned that is not there', () => {
  expect(Object.keys(pinned)).toEqual(Object.keys(wireContract()))
})

test('no two routes match the same request', () => {
  const shapes = Object.values(routes).flatMap(table =>
    Object.values<RouteLine>(table).map(({ method, path }) => `${method} ${path.replace(/<[^>]+>/g, '<>')}`),
  )
  expect(shapes).toHaveLength(new Set(shapes).size)
})

test('docs/errors.md matches the table of codes (else run node scripts/wire-pins.ts)', () => {
  const page = readFileSync(join(root, 'docs/errors.md'), 'utf8')
  expect(page).toBe(errorsPage(ERROR_CODES, RETRYABLE_CODES))
})

const json = (value: unknown) => JSON.parse(JSON.stringify(value)) as Readonly<Record<string, unknown>>
