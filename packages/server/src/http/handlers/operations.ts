import type { Routes } from '@godwit/protocol'
import { checkAudit, listAudit } from '../../admin/operations/audit.js'
import { explain } from '../../admin/operations/explain/explain.js'
import { readMutation } from '../../admin/operations/read-mutation.js'
import { settleUndecided } from '../../admin/operations/settle-undecided.js'
import { discardUndecided, listUndecided, retryUndecided } from '../../admin/operations/undecided-mutations.js'
import { watch } from '../../admin/watch/watch.js'
import { listRefusals, readRefusal } from '../../backend/refusals/list-refusals.js'
import { EventStreamReply } from '../../base/text-reply.js'
import { apiUserOf } from '../api-user-of.js'
import { auditCall, namesOf } from '../audit-rules.js'
import type { Handlers } from '../handler.js'

export const operationsHandlers: Handlers<Routes['operations']> = {
  events: (engine, { query, caller }) => {
    const { login } = apiUserOf(caller)
    const stream = watch(engine, { login, credential: caller.credential ?? '' }, query)
    return new EventStreamReply(stream, stream.cut)
  },
  explain: (engine, { query }) => explain(engine, query),
  undecided: (engine, { query }) => listUndecided(engine, query),
  mutation: (engine, { parameters: { mutation_id } }) => readMutation(engine, mutation_id),
  refusals: (engine, { query }) => listRefusals(engine, query),
  refusal: (engine, { parameters: { refusal_id } }) => readRefusal(engine, refusal_id),
  audit: (engine, { query }) => listAudit(engine, query),
  checkAudit: engine => checkAudit(engine),
  retry: {
    handle: (engine, { parameters: { mutation_id } }) => retryUndecided(engine, mutation_id),
    audit: auditCall(),
  },
  settle: {
    handle: (engine, { parameters: { mutation_id }, body }) => settleUndecided(engine, mutation_id, body),
    audit: auditCall(({ body: { object, attributes } }) => ({
      ...(object !== undefined && { object }),
      attributes: namesOf(attributes),
    })),
  },
  discard: {
    handle: async (engine, { parameters: { mutation_id } }) => {
      await discardUndecided(engine, mutation_id)
      return {}
    },
    audit: auditCall(),
  },
}
