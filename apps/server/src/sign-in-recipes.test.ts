import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { jwt, oidc } from '@godwit/auth'
import type { AuthProvider } from '@godwit/server'
import { expect, test } from '@jest/globals'

const PAGE = readFileSync(fileURLToPath(new URL('../../../docs/sign-in.md', import.meta.url)), 'utf8')
const [, recipes = ''] = /^## Recipes$(.*?)^## /ms.exec(PAGE) ?? []
const ALL = [...recipes.matchAll(/^### (\S+)$.*?^```js\n(.*?)^```$/gms)].map(
  ([, name = '', code = '']): readonly [string, string] => [name, code],
)

test('the page has a recipe for each of six providers', () => {
  expect(ALL.map(([name]) => name)).toEqual(['Auth0', 'Clerk', 'Firebase', 'Supabase', 'Keycloak', 'Entra'])
})

test.each(ALL)('the recipe for %s is short, and its options are accepted', (_, code) => {
  const [server = '', app = ''] = code.split(/^\/\/ app: /m)
  expect(code.trimEnd().split('\n').length).toBeLessThanOrEqual(12)
  expect(app).toContain('const credentials = async () =>')
  const calls = server.split(/^(?=oidc\(|jwt\()/m).filter(call => !call.startsWith('//'))
  const secret = { env: { SUPABASE_JWT_SECRET: 'a secret of thirty-two bytes, or more' } }
  for (const call of calls) {
    const make = new Function('oidc', 'jwt', 'process', `return ${call}`) as (...tools: unknown[]) => AuthProvider
    expect(make(oidc, jwt, secret)).toMatchObject({ kind: 'tokens', issuer: expect.stringMatching(/^https:\/\//) })
  }
})
