import type { Routes } from '@godwit/protocol'
import { pageOfClients, readClient } from '../../users/client-info.js'
import type { Handlers } from '../handler.js'

export const clientsHandlers: Handlers<Routes['clients']> = {
  list: (engine, { query }) => pageOfClients(engine, query),
  get: (engine, { parameters: { client_id } }) => readClient(engine, client_id),
}
