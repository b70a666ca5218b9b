import { MODEL, type Mutant } from './mutant.js'

/** Unsent changes of a device, and how their outcomes change its rows. */
export const outboxMutants: readonly Mutant[] = [
  {
    law: 'an edit never joins an entry that is in a request',
    file: `${MODEL}/outbox/add.ts`,
    find: 'const isOpen = (entry: OutboxEntry): boolean => entry.key === null',
    replace: 'const isOpen = (_: OutboxEntry): boolean => true',
    seed: 2,
  },
  {
    law: 'an edit that names a temporary id joins only what comes after its create',
    file: `${MODEL}/outbox/add.ts`,
    find: 'names.every(({ create }) => create < last.entry)',
    replace: 'names.length >= 0',
    seed: 52,
  },
  {
    law: 'an outcome never takes the place of a newer row',
    file: `${MODEL}/sync/apply-outcomes.ts`,
    find: 'version > base && version > rows.knownVersion(object)',
    replace: 'version > 0 || base > rows.knownVersion(object)',
    seed: 227,
  },
  {
    law: 'numbers are given once',
    file: `${MODEL}/outbox/take.ts`,
    find: 'sources.change(model.name, { next: number + 1 })',
    replace: 'sources.change(model.name, { next: number })',
    seed: 2,
  },
  {
    law: 'a mutation keeps its key in a new epoch',
    file: `${MODEL}/database/tables/outbox-table.ts`,
    find: 'SET seen = NULL, number = NULL,',
    replace: 'SET seen = NULL, "key" = NULL, number = NULL,',
    seed: 328,
  },
  {
    law: 'what may have been sent before is marked so',
    file: `${MODEL}/database/tables/outbox-table.ts`,
    find: 'sent = CASE WHEN "key" IS NULL THEN 0 ELSE 1 END',
    replace: 'sent = 0',
    seed: 72,
  },
  {
    law: 'a refused create takes along what names it',
    file: `${MODEL}/outbox/settle.ts`,
    find: "return operation === 'create' ? [refusal, ...refuseDependents(models, model, object, reason.at)] : [refusal]",
    replace: 'return [refusal]',
    seed: 34,
  },
  {
    law: 'real ids are written over temporary ones in unsent changes',
    file: `${MODEL}/sync/apply-outcomes.ts`,
    find: '  relinkNames(models, link)\n',
    replace: '',
    seed: 2,
  },
  {
    law: 'a mutation lists the owners whose create is undecided',
    file: `${MODEL}/outbox/take.ts`,
    find: '.filter(({ owner, object }) => owner === model.name && object !== entry.object)',
    replace: ".filter(({ owner }) => owner === '')",
    seed: 11,
  },
  {
    law: 'an outbox belongs to its user',
    file: `${MODEL}/sync/session.ts`,
    find: 'if (owner === user) continue',
    replace: 'continue',
    seed: 156,
  },
  {
    law: 'of objects that are removed together only one update waits',
    file: `${MODEL}/records/destroy.ts`,
    find: "model.synced ? deletableTogetherSql(models, model) : 'TRUE'",
    replace: "'TRUE'",
    seed: 2218,
  },
]
