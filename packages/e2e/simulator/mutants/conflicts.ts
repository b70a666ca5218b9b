import { type Mutant, SERVER } from './mutant.js'

/** The body that makes a full update: `full` is what the backend gets. */
const fullUpdate = (full: string): string => `{
  $$$BEFORE
  const $CHANGES = pick($ATTRIBUTES, $NAMES)
  $$$BETWEEN
  return { $$$FIELDS, full: ${full}, $$$REST }
}`

/** Conflicts, and the calls that follow from them. */
export const conflictsMutants: readonly Mutant[] = [
  {
    law: 'a source that rejects conflicts is not called for one',
    file: `${SERVER}/device/push/find-conflict.ts`,
    in: 'decideOnLive',
    find: "$POLICY.conflict === 'reject' || $DELETES",
    replace: '$DELETES',
    about: 'retries',
    seed: 11,
  },
  {
    law: 'an object that others changed is not deleted, unless the device wins',
    file: `${SERVER}/device/push/find-conflict.ts`,
    in: 'decideOnLive',
    find: "$POLICY.conflict === 'reject' || $MUTATION.operation === 'delete'",
    replace: "$POLICY.conflict === 'reject' && $MUTATION.operation !== 'delete'",
    about: 'retries',
    seed: 2,
  },
  {
    law: 'server-wins keeps each attribute that others changed',
    file: `${SERVER}/device/push/find-conflict.ts`,
    in: 'decideOnLive',
    find: `{
      const $CONFLICTS = conflictsOf($$$ARGS)
      $$$BETWEEN
      return decisionWithout($MUTATION, $PRESENT, $CONFLICTS)
    }`,
    replace: `{
      const $CONFLICTS = conflictsOf($$$ARGS)
      $$$BETWEEN
      return decisionWithout($MUTATION, $PRESENT, [])
    }`,
    seed: 9,
  },
  {
    law: 'an update of a removed object is gone',
    file: `${SERVER}/device/push/find-conflict.ts`,
    in: 'decideConflict',
    find: "$BEFORE.state === 'never' && !$MUTATION.seen",
    replace: "$MUTATION.operation === 'update' || ($BEFORE.state === 'never' && !$MUTATION.seen)",
    seed: 11,
  },
  {
    law: 'a delete of a removed object needs no call',
    file: `${SERVER}/device/push/find-conflict.ts`,
    in: 'decideConflict',
    find: "$BEFORE.state === 'never' && !$MUTATION.seen",
    replace: "$MUTATION.operation === 'delete' || ($BEFORE.state === 'never' && !$MUTATION.seen)",
    seed: 31,
  },
  {
    law: 'of a full update only the changed attributes conflict',
    file: `${SERVER}/device/push/find-conflict.ts`,
    in: 'conflictsOf',
    find: '$CHANGED ?? Object.keys($ATTRIBUTES)',
    replace: 'Object.keys($CHANGED ? $ATTRIBUTES : $ATTRIBUTES)',
    about: 'retries',
    seed: 5,
  },
  {
    law: 'a full update brings what others changed as they changed it',
    file: `${SERVER}/device/push/find-conflict.ts`,
    in: 'decisionWithout',
    find: fullUpdate('{ ...$PRESENT, ...$CHANGES }'),
    replace: fullUpdate('{ ...$PRESENT, ...$ATTRIBUTES }'),
    about: 'retries',
    seed: 5,
  },
  {
    law: 'a full update brings no removed attribute back',
    file: `${SERVER}/device/push/find-conflict.ts`,
    in: 'decisionWithout',
    find: fullUpdate('{ ...$PRESENT, ...$CHANGES }'),
    replace: fullUpdate('{ ...$ATTRIBUTES, ...$PRESENT, ...$CHANGES }'),
    about: 'retries',
    seed: 35,
  },
  {
    law: 'a full update brings all attributes',
    file: `${SERVER}/device/push/find-conflict.ts`,
    in: 'decisionWithout',
    find: { context: '({ full: { ...$PRESENT, ...$CHANGES } })', selector: 'pair' },
    replace: 'full: $CHANGES',
    about: 'retries',
    seed: 5,
  },
]
