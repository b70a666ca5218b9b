import { MODEL, type Mutant } from './mutant.js'

/** Unsent changes of a device, and how their outcomes change its rows. */
export const outboxMutants: readonly Mutant[] = [
  {
    law: 'an edit never joins an entry that is in a request',
    file: `${MODEL}/outbox/add.ts`,
    in: 'isOpen',
    find: '($ENTRY: $TYPE): boolean => $ENTRY.key === null',
    replace: '(_: $TYPE): boolean => true',
    seed: 11,
  },
  {
    law: 'an edit that names a temporary id joins only what comes after its create',
    file: `${MODEL}/outbox/add.ts`,
    in: 'mayJoin',
    find: '$NAMES.every($COMES)',
    replace: '$NAMES.length >= 0',
    seed: 52,
  },
  {
    law: 'an outcome never takes the place of a newer row',
    file: `${MODEL}/sync/apply-outcomes.ts`,
    in: 'isNews',
    find: '$VERSION > $BASE && $VERSION > $ROWS.knownVersion($OBJECT)',
    replace: '$VERSION > 0 || $BASE > $ROWS.knownVersion($OBJECT)',
    seed: 227,
  },
  {
    law: 'an update whose outcome comes under a new client id stays shown',
    file: `${MODEL}/database/tables/outbox-table.ts`,
    in: 'OutboxTable.startOver',
    find: '$SAME ? 1 : 0',
    replace: '$SAME ? 0 : 0',
    seed: 22003367,
  },
  {
    law: 'outcomes of former numbers settle nothing',
    file: `${MODEL}/sync/apply-page.ts`,
    in: 'applyPage',
    find: `{
      $$$BEFORE
      const $OTHER = $KNOWN.epoch !== null && $CHANGED
      $$$BETWEEN
      const $SETTLED = $STATE.pushed ? applyOutcomes($$$ARGS) : $STATE
      $$$AFTER
    }`,
    replace: `{
      $$$BEFORE
      const $OTHER = $KNOWN.epoch !== null && $CHANGED
      $$$BETWEEN
      const $SETTLED = $OTHER ? $STATE : applyOutcomes($$$ARGS)
      $$$AFTER
    }`,
    about: 'teams',
    seed: 33002321,
  },
  {
    law: 'numbers are given once',
    file: `${MODEL}/outbox/take.ts`,
    in: 'fix',
    find: { context: '({ next: $NUMBER + 1 })', selector: 'pair' },
    replace: 'next: $NUMBER',
    seed: 2,
  },
  {
    law: 'a mutation keeps its key in a new epoch',
    file: `${MODEL}/database/tables/outbox-table.ts`,
    in: 'OutboxTable.startOver',
    find: 'this.#sql($SQL).run($SAME, $MODEL)',
    replace: `this.#sql($SQL).run($SAME, $MODEL)
    this.#sql('UPDATE $outbox SET "key" = NULL WHERE model = ?').run($MODEL)`,
    seed: 55,
  },
  {
    law: 'what may have been sent before is marked so',
    file: `${MODEL}/database/tables/outbox-table.ts`,
    in: 'OutboxTable.startOver',
    find: 'this.#sql($SQL).run($SAME, $MODEL)',
    replace: `this.#sql($SQL).run($SAME, $MODEL)
    this.#sql('UPDATE $outbox SET sent = 0 WHERE model = ?').run($MODEL)`,
    seed: 72,
  },
  {
    law: 'a refused create takes along what names it',
    file: `${MODEL}/outbox/settle.ts`,
    in: 'refuse',
    find: "$OPERATION === 'create' ? $TOGETHER : $ALONE",
    replace: '$ALONE',
    seed: 34,
  },
  {
    law: 'real ids are written over temporary ones in unsent changes',
    file: `${MODEL}/sync/apply-outcomes.ts`,
    in: 'relink',
    find: 'relinkNames($MODELS, $LINK)',
    replace: '',
    seed: 2,
  },
  {
    law: 'a mutation lists the owners whose create is undecided',
    file: `${MODEL}/outbox/take.ts`,
    in: 'ownersOf',
    find: '$NAMED.filter($OWN).filter($UNDECIDED)',
    replace: "$NAMED.filter(({ owner }) => owner === '').filter($UNDECIDED)",
    seed: 11,
  },
  {
    law: 'an outbox belongs to its user',
    file: `${MODEL}/sync/session.ts`,
    in: 'Session.claim',
    find: 'if ($OWNER === $USER) continue',
    replace: 'continue',
    seed: 156,
  },
  {
    law: 'of objects that are removed together only one update waits',
    file: `${MODEL}/records/destroy.ts`,
    in: 'findRows',
    find: "$MODEL.synced ? deletableTogetherSql($MODELS, $MODEL) : 'TRUE'",
    replace: "'TRUE'",
    seed: 2218,
  },
  {
    law: 'an object that another change names is sent though it was removed before',
    file: `${MODEL}/outbox/add.ts`,
    in: 'addDelete',
    find: '$CREATE && ($BENEATH !== undefined || isNamedByEntries($$$ARGS))',
    replace: '$CREATE && $BENEATH !== undefined',
    seed: 73,
  },
  {
    law: 'the row of a real id that is here already stays',
    file: `${MODEL}/sync/relink.ts`,
    in: 'relinkObject',
    find: 'if ($FREE) $ROWS.rename($FROM, $TO)',
    replace: '$ROWS.rename($FROM, $TO)',
    seed: 2,
  },
]
