import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { readSettings } from './config.js'
import { authOf } from './sign-in-settings.js'

const OIDC = { SYNC_OIDC_ISSUER: 'https://login.example.com', SYNC_OIDC_AUDIENCE: 'godwit' }
const CONSOLE = { ...OIDC, SYNC_OIDC_CLIENT_ID: 'console', SYNC_OIDC_ROLES: 'sync-admins=admin,a=b=reader' }

test('without an issuer, nothing changes', () => {
  expect(authOf({})).toBeUndefined()
  expect(readSettings({}).auth).toBeUndefined()
})

test('an issuer is accepted beside passwords, or alone', () => {
  expect(authOf(OIDC)).toMatchObject([{ kind: 'passwords' }, { kind: 'tokens', issuer: OIDC.SYNC_OIDC_ISSUER }])
  expect(authOf({ ...OIDC, SYNC_OIDC_PASSWORDS: 'false' })).toMatchObject([{ kind: 'tokens' }])
})

test('the secret of the client may be in a file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'godwit-sign-in-'))
  const file = join(folder, 'secret')
  writeFileSync(file, 'a secret\n')
  expect(authOf({ ...CONSOLE, SYNC_OIDC_CLIENT_SECRET_FILE: file })).toHaveLength(2)
  writeFileSync(file, '')
  expect(() => authOf({ ...CONSOLE, SYNC_OIDC_CLIENT_SECRET_FILE: file })).toThrow('SYNC_OIDC_CLIENT_SECRET_FILE')
  await rm(folder, { recursive: true })
})

test.each([
  ['SYNC_OIDC_ISSUER: expected', { SYNC_OIDC_AUDIENCE: 'godwit' }],
  ['SYNC_OIDC_AUDIENCE: expected', { SYNC_OIDC_ISSUER: 'https://login.example.com' }],
  ['oidc.issuer: expected an https address', { ...OIDC, SYNC_OIDC_ISSUER: 'login.example.com' }],
  ['SYNC_OIDC_ROLES: expected', { ...OIDC, SYNC_OIDC_CLIENT_ID: 'console' }],
  ['got "sync-admins=root"', { ...CONSOLE, SYNC_OIDC_ROLES: 'sync-admins=root' }],
])('%s', (message, environment) => {
  expect(() => readSettings(environment)).toThrow(
    expect.objectContaining({ code: 'value_not_allowed', message: expect.stringContaining(message) }),
  )
})
