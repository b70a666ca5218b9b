import { type AdminSession, type ApiRole, CONSOLE_COOKIE, type Routes } from '@godwit/protocol'
import { apiCredentialOf, revoke } from '../../access/credentials.js'
import { logInAdmin, signIn } from '../../access/log-in-admin.js'
import { listTokens, revokeToken } from '../../access/tokens.js'
import { readLicense } from '../../operations/license.js'
import { listJobs } from '../../operations/list-jobs.js'
import { reset } from '../../operations/reset.js'
import { serverState } from '../../operations/server-state.js'
import { readStats } from '../../operations/stats.js'
import { Prepared, TEXT_TYPE } from '../../prepared.js'
import { readAppServer } from '../../sources/app-server.js'
import { writeAppServer } from '../../sources/set-app-server.js'
import { reportLogin } from '../../watch/report-login.js'
import { apiUserOf } from '../api-user-of.js'
import { cookieText } from '../cookie-text.js'
import type { Handlers } from '../handler.js'
import { checkOrigin } from '../origin.js'

export const systemHandlers: Handlers<Routes['system']> = {
  login: async (engine, { body, headers, address }) => {
    const attempt = { login: body.login, api: true }
    const answer = await reportLogin(engine, attempt, () => logInAdmin(engine, body, address))
    return headers['accept']?.includes('application/json') ? answer : new Prepared(answer.token, { type: TEXT_TYPE })
  },
  signIn: async (engine, request) => {
    checkOrigin(request, engine.origins)
    const { body, address, secure } = request
    const { secret, expiresAt, session } = await reportLogin(engine, { login: body.login, api: true }, async () => {
      const given = await signIn(engine, body, address)
      return { ...given, user: given.session, role: given.session.role }
    })
    const seconds = Math.ceil((expiresAt - engine.clock()) / 1000)
    const cookie = cookieText(CONSOLE_COOKIE, secret, { seconds, secure, sameSite: 'Strict' })
    return new Prepared(JSON.stringify(session), { headers: { 'set-cookie': cookie } })
  },
  session: async ({ store: { registry } }, { caller }): Promise<AdminSession> => {
    const { login } = apiUserOf(caller)
    const credential = apiCredentialOf(await registry.get('credential', caller.credential ?? ''))
    return { login, role: caller.role as ApiRole, expires_at: new Date(credential?.expiresAt ?? 0).toISOString() }
  },
  signOut: async (engine, { caller, secure }) => {
    await revoke(engine, caller.credential ?? '')
    const cookie = cookieText(CONSOLE_COOKIE, '', { seconds: 0, secure, sameSite: 'Strict' })
    return new Prepared('{}', { headers: { 'set-cookie': cookie } })
  },
  state: engine => serverState(engine),
  license: engine => readLicense(engine),
  reset: async (engine, { caller }) => {
    const { login } = apiUserOf(caller)
    await reset(engine, { login, credential: caller.credential })
    return {}
  },
  jobs: (engine, { query }) => listJobs(engine, query),
  readAppServer: engine => readAppServer(engine),
  writeAppServer: async (engine, { body }) => {
    await writeAppServer(engine, body)
    return {}
  },
  stats: (engine, { query }) => readStats(engine, query),
  tokens: (engine, { query: { login }, caller }) => listTokens(engine, apiUserOf(caller), login),
  revokeToken: async (engine, { parameters: { token_id }, caller }) => {
    await revokeToken(engine, apiUserOf(caller), token_id)
    return {}
  },
}
