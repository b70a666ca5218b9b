import { type ApiRole, mayCall, type Role, SyncError, type TokenInfo } from '@godwit/protocol'
import type { RegistryRecord } from '@godwit/store'
import type { AccountsEngine } from '../accounts-engine.js'
import { apiCredentialOf, revoke } from './credentials.js'

type TokensEngine = Pick<AccountsEngine, 'store' | 'clock'>

/** The caller of the token routes: an admin sees all tokens, other users their own. */
export interface TokenReader {
  readonly login: string
  readonly role: Role
}

const PAGE = 500

/** Lists the valid tokens, oldest first: the caller's own, or for an admin those of one login or of all users. */
export async function listTokens(
  engine: TokensEngine,
  reader: TokenReader,
  login?: string,
): Promise<readonly TokenInfo[]> {
  const owner = login ?? visibleOwner(reader)
  if (login !== undefined && login !== reader.login && !isAdmin(reader)) {
    throw new SyncError('role_insufficient', `expected the role admin for tokens of others, got ${reader.role}.`)
  }
  const now = engine.clock()
  const tokens: TokenInfo[] = []
  for await (const { record, expiresAt } of tokensOf(engine, owner)) if (expiresAt > now) tokens.push(infoOf(record))
  return tokens.sort((one, other) => (one.created_at < other.created_at ? -1 : 1))
}

/** Revokes a token on all processes at once: each request reads its credential from the store. */
export async function revokeToken(engine: TokensEngine, reader: TokenReader, id: string): Promise<void> {
  for await (const { record } of tokensOf(engine, visibleOwner(reader))) {
    if (record.value['public_id'] === id) return revoke(engine, record.id)
  }
  throw new SyncError('token_not_found', `There is no token ${JSON.stringify(id)} that you may revoke.`)
}

const isAdmin = ({ role }: TokenReader): boolean => mayCall(role, ['admin'])

const visibleOwner = (reader: TokenReader): string | undefined => (isAdmin(reader) ? undefined : reader.login)

interface LiveToken {
  readonly record: RegistryRecord
  readonly expiresAt: number
}

async function* tokensOf({ store: { registry } }: TokensEngine, owner: string | undefined): AsyncGenerator<LiveToken> {
  for (let after: string | undefined; ; ) {
    const page = await registry.list('credential', { owner, after, limit: PAGE })
    for (const record of page) {
      const credential = apiCredentialOf(record)
      if (credential) yield { record, expiresAt: credential.expiresAt }
    }
    after = page.at(-1)?.id
    if (after === undefined) return
  }
}

function infoOf({ owner = '', value }: RegistryRecord): TokenInfo {
  const time = (name: string): string => new Date(Number(value[name])).toISOString()
  return {
    id: String(value['public_id']),
    login: owner,
    role: value['role'] as ApiRole,
    ...(value['purpose'] === 'console' && { console: true }),
    created_at: time('created_at'),
    expires_at: time('expires_at'),
    ...(value['seen_at'] !== value['created_at'] && { last_used: time('seen_at') }),
  }
}
