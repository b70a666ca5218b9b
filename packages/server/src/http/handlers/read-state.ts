import type { Routes } from '@godwit/protocol'
import { setReadState } from '../../query/schedule.js'
import type { Handlers } from '../handler.js'

export const readStateHandlers: Handlers<Routes['readState']> = {
  set: async (engine, { parameters: { user_id: user, source_id: source }, body: { refresh_time: seconds } }) => {
    await setReadState(engine, { user, source, seconds })
    return {}
  },
}
