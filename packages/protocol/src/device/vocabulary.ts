/** All operations of mutations. */
export const OPERATIONS = ['create', 'update', 'delete'] as const

/** The operation of a mutation. */
export type Operation = (typeof OPERATIONS)[number]

/** All statuses of mutations. */
export const OUTCOME_STATUSES = [
  'applied',
  'refused',
  'conflict',
  'gone',
  'depends_on_refused',
  'in_doubt',
  'queued',
] as const

/**
 * The status of a mutation.
 *
 * - `applied`: the source applied it.
 * - `refused`: the source or an operator refused it, or a blob that it references is lost.
 * - `conflict`: the object changed meanwhile, and the policy keeps its current state.
 * - `gone`: the object was removed meanwhile.
 * - `depends_on_refused`: it references an object whose creation was refused or is unknown.
 * - `in_doubt`: the backend was called and never responded; an operator decides. A final outcome follows.
 * - `queued`: without an outcome number: undecided, or behind more outcomes than fit in the response. A later pull or push returns the decision.
 */
export type OutcomeStatus = (typeof OUTCOME_STATUSES)[number]
