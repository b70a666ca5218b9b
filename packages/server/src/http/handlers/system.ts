import { type AdminSession, type ApiRole, CONSOLE_COOKIE, type Routes, USER_ROLES } from '@godwit/protocol'
import { apiCredentialOf, revoke } from '../../accounts/access/credentials.js'
import { logInAdmin, signIn } from '../../accounts/access/log-in-admin.js'
import { listTokens, revokeToken } from '../../accounts/access/tokens.js'
import { readLicense } from '../../admin/operations/license.js'
import { listJobs } from '../../admin/operations/list-jobs.js'
import { reset } from '../../admin/operations/reset.js'
import { serverState } from '../../admin/operations/server-state.js'
import { readStats } from '../../admin/operations/stats.js'
import { reportLogin } from '../../admin/watch/report-login.js'
import { readAppServer, writeAppServer } from '../../backend/sources/app-server.js'
import { readBackendSecret } from '../../backend/sources/backend-secret.js'
import { TEXT_TYPE, TextReply } from '../../base/text-reply.js'
import { apiUserOf } from '../api-user-of.js'
import { auditCall, auditLogin, urlOrigin } from '../audit-rules.js'
import { cookieText } from '../cookie-text.js'
import type { Handlers } from '../handler.js'
import { checkOrigin } from '../origin.js'

export const systemHandlers: Handlers<Routes['system']> = {
  login: {
    handle: async (engine, { body, headers, address }) => {
      const attempt = { login: body.login, api: true }
      const answer = await reportLogin(engine, attempt, () => logInAdmin(engine, body, address))
      return headers['accept']?.includes('application/json') ? answer : new TextReply(answer.token, { type: TEXT_TYPE })
    },
    audit: auditLogin(['open', ...USER_ROLES]),
  },
  signIn: {
    handle: async (engine, request) => {
      checkOrigin(request, engine.origins)
      const { body, address, secure } = request
      const { secret, expiresAt, session } = await reportLogin(engine, { login: body.login, api: true }, async () => {
        const given = await signIn(engine, body, address)
        return { ...given, user: given.session, role: given.session.role }
      })
      const seconds = Math.ceil((expiresAt - engine.clock()) / 1000)
      const cookie = cookieText(CONSOLE_COOKIE, secret, { seconds, secure, sameSite: 'Strict' })
      return new TextReply(JSON.stringify(session), { headers: { 'set-cookie': cookie } })
    },
    audit: auditLogin(['open', ...USER_ROLES]),
  },
  session: async ({ store: { registry } }, { caller }): Promise<AdminSession> => {
    const { login } = apiUserOf(caller)
    const credential = apiCredentialOf(await registry.get('credential', caller.credential ?? ''))
    return { login, role: caller.role as ApiRole, expires_at: new Date(credential?.expiresAt ?? 0).toISOString() }
  },
  signOut: {
    handle: async (engine, { caller, secure }) => {
      await revoke(engine, caller.credential ?? '')
      const cookie = cookieText(CONSOLE_COOKIE, '', { seconds: 0, secure, sameSite: 'Strict' })
      return new TextReply('{}', { headers: { 'set-cookie': cookie } })
    },
    audit: auditCall(),
  },
  state: engine => serverState(engine),
  license: engine => readLicense(engine),
  reset: {
    handle: async (engine, { caller }) => {
      const { login } = apiUserOf(caller)
      await reset(engine, { login, credential: caller.credential })
      return {}
    },
    audit: auditCall(),
  },
  jobs: (engine, { query }) => listJobs(engine, query),
  readAppServer: engine => readAppServer(engine),
  writeAppServer: {
    handle: async (engine, { body, caller }) => {
      await writeAppServer(engine, body, caller)
      return {}
    },
    audit: auditCall(({ body: { adapter_url } }) => ({ adapter_url: urlOrigin(adapter_url) })),
  },
  readBackendSecret: { handle: engine => readBackendSecret(engine), audit: auditCall() },
  stats: (engine, { query }) => readStats(engine, query),
  tokens: (engine, { query: { login }, caller }) => listTokens(engine, apiUserOf(caller), login),
  revokeToken: {
    handle: async (engine, { parameters: { token_id }, caller }) => {
      await revokeToken(engine, apiUserOf(caller), token_id)
      return {}
    },
    audit: auditCall(),
  },
}
