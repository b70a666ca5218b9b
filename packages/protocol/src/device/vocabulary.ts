/** Every operation of a mutation. */
export const OPERATIONS = ['create', 'update', 'delete'] as const

/** What a mutation does to its object. */
export type Operation = (typeof OPERATIONS)[number]

/** Every status that a mutation can end with. */
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
 * What became of a mutation.
 *
 * - `applied`: the source did it.
 * - `refused`: the source refused it, and only the source.
 * - `conflict`: the object changed meanwhile and the policy keeps the present state.
 * - `gone`: the object was removed meanwhile.
 * - `depends_on_refused`: it names an object whose creation was refused or is unknown.
 * - `in_doubt`: the backend was called and never answered; an operator decides. Another outcome follows.
 * - `queued`: not decided yet; carries no outcome number. The decision comes with a later pull.
 */
export type OutcomeStatus = (typeof OUTCOME_STATUSES)[number]
