import { auditCheckSchema, auditEntriesSchema, auditListSchema } from '../admin/audit.js'
import { explainSchema, explanationSchema } from '../admin/explain.js'
import { refusalContentSchema, refusalListSchema, refusalPageSchema } from '../admin/refusal.js'
import { serverEventSchema, serverEventsQuerySchema } from '../admin/server-event.js'
import {
  mutationSettlementSchema,
  retriedSchema,
  sentMutationSchema,
  undecidedListSchema,
  undecidedSchema,
} from '../admin/undecided-mutation.js'
import type { SchemasOf } from '../route-schemas.js'
import type { operationsRoutes } from '../routes/operations.js'

/** Schemas and error codes of the operations routes. */
export const operationsSchemas: SchemasOf<typeof operationsRoutes> = {
  events: { query: serverEventsQuerySchema, answer: serverEventSchema, problems: ['value_not_allowed'] },
  explain: { query: explainSchema, answer: explanationSchema, problems: [] },
  undecided: { query: undecidedListSchema, answer: undecidedSchema, problems: ['mutation_not_found'] },
  mutation: { answer: sentMutationSchema, problems: ['mutation_not_found'] },
  refusals: { query: refusalListSchema, answer: refusalPageSchema, problems: [] },
  refusal: { answer: refusalContentSchema, problems: ['mutation_not_found'] },
  audit: { query: auditListSchema, answer: auditEntriesSchema, problems: [] },
  checkAudit: { answer: auditCheckSchema, problems: [] },
  retry: { answer: retriedSchema, problems: ['mutation_not_found', 'value_not_allowed'] },
  settle: {
    body: mutationSettlementSchema,
    answer: retriedSchema,
    problems: ['mutation_not_found', 'value_not_allowed'],
  },
  discard: { problems: ['mutation_not_found', 'value_not_allowed'] },
}
