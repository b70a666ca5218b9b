import type { Routes } from '@godwit/protocol'
import { logInAdmin } from '../../access/log-in-admin.js'
import { listTokens, revokeToken } from '../../access/tokens.js'
import { readLicense } from '../../operations/license.js'
import { listJobs } from '../../operations/list-jobs.js'
import { reset } from '../../operations/reset.js'
import { readStats } from '../../operations/stats.js'
import { Prepared, TEXT_TYPE } from '../../prepared.js'
import { readAppServer } from '../../sources/app-server.js'
import { writeAppServer } from '../../sources/set-app-server.js'
import { reportLogin } from '../../watch/report-login.js'
import { apiUserOf } from '../api-user-of.js'
import type { Handlers } from '../handler.js'

export const systemHandlers: Handlers<Routes['system']> = {
  login: async (engine, { body, headers, address }) => {
    const attempt = { login: body.login, api: true }
    const answer = await reportLogin(engine, attempt, () => logInAdmin(engine, body, address))
    return headers['accept']?.includes('application/json') ? answer : new Prepared(answer.token, { type: TEXT_TYPE })
  },
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
