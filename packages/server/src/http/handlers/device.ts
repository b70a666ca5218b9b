import { type Routes, SESSION_COOKIE } from '@godwit/protocol'
import { revoke } from '../../access/credentials.js'
import { logIn } from '../../access/log-in.js'
import { Live, Prepared } from '../../prepared.js'
import { pull } from '../../pull/pull.js'
import { push } from '../../push/push.js'
import { announceEnd } from '../../sources/channels.js'
import { createClient, registerClient, resetClient } from '../../users/clients.js'
import { clientOf, deviceOf } from '../device-of.js'
import type { Handlers } from '../handler.js'

export const deviceHandlers: Handlers<Routes['device']> = {
  login: async (engine, { body, secure, address }) => {
    const { user, given } = await logIn(engine, body, address)
    const { secret, expiresAt } = given
    const session = {
      login: user.login,
      user_id: user.userId,
      session: secret,
      expires_at: new Date(expiresAt).toISOString(),
    }
    const cookie = sessionCookie(secret, { seconds: engine.limits.sessionLife, secure })
    return new Prepared(JSON.stringify(session), { headers: { 'set-cookie': cookie } })
  },
  logout: async (engine, { caller, secure }) => {
    const { credential, login } = deviceOf(caller)
    await revoke(engine, credential)
    await announceEnd(engine.store, login)
    return new Prepared('{}', { headers: { 'set-cookie': sessionCookie('', { seconds: 0, secure }) } })
  },
  createClient: async (engine, { caller }) => ({
    client: { client_id: await createClient(engine, deviceOf(caller)) },
  }),
  registerClient: async (engine, { parameters, body }) => {
    await registerClient(engine, parameters.client_id, body)
    return {}
  },
  resetClient: async (engine, { parameters, body }) => {
    await resetClient(engine, parameters.client_id, body)
    return {}
  },
  pull: (engine, { parameters, query, caller }) => {
    const { token, p_size: pageSize, acknowledged } = query
    const client = clientOf(caller)
    return pull(engine, { source: parameters.source_name, user: client.user, client, token, pageSize, acknowledged })
  },
  events: ({ hub }, { caller }) => {
    const { login, credential } = deviceOf(caller)
    const stream = hub.open({ login, credential, client: clientOf(caller).id })
    return new Live(stream, stream.cut)
  },
  push: (engine, { parameters, body, caller }) => {
    const client = clientOf(caller)
    return push(engine, { source: parameters.source_name, user: client.user, client, push: body })
  },
}

const sessionCookie = (secret: string, { seconds, secure }: { seconds: number; secure: boolean }): string =>
  `${SESSION_COOKIE}=${secret}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${secure ? '; Secure' : ''}`
