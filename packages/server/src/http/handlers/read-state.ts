import type { Routes } from '@godwit/protocol'
import { refresh } from '../../admin/operations/refresh-partition.js'
import { setReadState } from '../../admin/operations/set-read-state.js'
import { auditCall } from '../audit-rules.js'
import type { Handlers } from '../handler.js'

export const readStateHandlers: Handlers<Routes['readState']> = {
  set: {
    handle: async (engine, { parameters: { user_id: user, source_id: source }, body: { refresh_time: seconds } }) => {
      await setReadState(engine, { user, source, seconds })
      return {}
    },
    audit: auditCall(({ body: { refresh_time } }) => (refresh_time === undefined ? {} : { refresh_time })),
  },
  refresh: {
    handle: (engine, { parameters: { user_id: user, source_id: source }, signal }) =>
      refresh(engine, { user, source }, signal),
    audit: auditCall(),
  },
}
