import { MODEL, type Mutant, SERVER, STORE } from './mutant.js'

/** Operations: users, sessions, settings, documents, decisions on doubts, positions. */
export const adminMutants: readonly Mutant[] = [
  {
    law: 'a deleted user leaves nothing behind',
    file: `${SERVER}/accounts/users/delete-user.ts`,
    in: 'deleteUser',
    find: 'await dropPartitions($$$)',
    replace: '',
    about: 'administration',
    seed: 1,
  },
  {
    law: 'changed settings are reloaded though a backend hangs',
    file: `${SERVER}/start/background.ts`,
    in: 'startBackground',
    find: `async (): $RESULT => {
      $$$BEFORE
      $BEGIN(() => $DRAINS.run())
      $$$AFTER
    }`,
    replace: `async (): $RESULT => {
      $$$BEFORE
      await $DRAINS.run()
      $$$AFTER
    }`,
    about: 'administration',
    seed: 33002464,
  },
  {
    law: 'deleted users are refused from then on',
    file: `${SERVER}/accounts/users/delete-user.ts`,
    in: 'deleteUser',
    find: 'await revokeAll($$$)',
    replace: '',
    about: 'administration',
    seed: 1,
  },
  {
    law: 'who comes back after a deletion is another user',
    file: `${SERVER}/accounts/access/log-in.ts`,
    in: 'createUserOfBackend',
    find: `{
      $$$BEFORE
      const $VALUE = userValue({ userId: $ID, $$$FACTS })
      await $REGISTRY.create('user', { id: $LOGIN, $$$RECORD })
      $$$AFTER
    }`,
    replace: `{
      $$$BEFORE
      const $VALUE = userValue({ userId: $LOGIN, $$$FACTS })
      await $REGISTRY.create('user', { id: $LOGIN, $$$RECORD })
      $$$AFTER
    }`,
    about: 'administration',
    seed: 2,
  },
  {
    law: 'sessions end where an operator ends them',
    file: `${SERVER}/accounts/users/users.ts`,
    in: 'endSessions',
    find: `{
      await getUser($$$)
      await revokeAll($$$)
    }`,
    replace: '{}',
    about: 'administration',
    seed: 1,
  },
  {
    law: 'a reset ends every session but the own',
    file: `${SERVER}/admin/operations/reset.ts`,
    in: 'reset',
    find: 'await revokeAll($$$)',
    replace: '',
    about: 'administration',
    seed: 1,
  },
  {
    law: 'at poll_interval -1 nothing is queried without a request',
    file: `${SERVER}/admin/operations/update-source.ts`,
    in: 'setDueTimes',
    find: '$SOURCE.pollInterval < 0 ? LAST_TIME : $NEXT',
    replace: '$NEXT',
    about: 'administration',
    seed: 4,
  },
  {
    law: 'changed settings survive their process',
    file: `${SERVER}/backend/sources/stored-settings.ts`,
    in: 'saveSettings',
    find: "(await $REGISTRY.merge('source', $ID, $VALUE))?.value ?? $VALUE",
    replace: '$VALUE',
    about: 'administration',
    seed: 3,
  },
  {
    law: 'a document that is appended to keeps its other objects',
    file: `${SERVER}/admin/documents/write-objects.ts`,
    in: 'writeObjects',
    find: '$APPEND ? mergeBatches($DATA, $IDS) : $REPLACED',
    replace: '$APPEND && $IDS.length < 0 ? mergeBatches($DATA, $IDS) : $REPLACED',
    about: 'administration',
    seed: 3,
  },
  {
    law: 'a device gives up what was of another user',
    file: `${MODEL}/run/device-session.ts`,
    in: 'Session.claim',
    find: 'if ($OWNER === $USER) continue',
    replace: 'if ($OWNER !== null) continue',
    about: 'administration',
    seed: 8,
  },
  {
    law: 'a client has confirmed no more of a pass from zero than it came through',
    file: `${SERVER}/accounts/users/confirmed-positions.ts`,
    in: 'positionOfToken',
    find: '$FROM.base > 0',
    replace: '$FROM.base >= 0',
    about: 'operations',
    seed: 2,
  },
  {
    law: 'a client has not confirmed a page that it is about to store',
    file: `${SERVER}/device/pull/confirmed-by.ts`,
    in: 'confirmedBy',
    find: '$STORED === undefined || $OVER || $FROM.base > 0',
    replace: '$STORED !== null || $OVER || $FROM.base > 0',
    about: 'operations',
    seed: 33000060,
  },
  {
    law: 'of one version a client has confirmed the ids up to its position',
    file: `${SERVER}/accounts/users/confirmed-positions.ts`,
    in: 'isConfirmed',
    find: '$ID === undefined || compareIds($ROW.id, $ID) <= 0',
    replace: "$ID === undefined || $ROW.id !== ''",
    about: 'operations',
    seed: 1,
  },
  {
    law: 'a discarded doubt makes the partition due',
    file: `${SERVER}/admin/operations/undecided-mutations.ts`,
    in: 'discardUndecided',
    find: { context: '({ $$$BEFORE, ask: true })', selector: 'object' },
    replace: '{ $$$BEFORE }',
    about: 'decisions',
    seed: 2,
  },
  {
    law: 'a doubt that an operator settles makes the partition due',
    file: `${SERVER}/admin/operations/settle-undecided.ts`,
    in: 'settleUndecided',
    find: { context: '({ $$$BEFORE, ask: true, ...$RESULT })', selector: 'object' },
    replace: '{ $$$BEFORE, ...$RESULT }',
    about: 'decisions',
    seed: 2,
  },
  {
    law: 'a create that an operator settles has the id of the backend',
    file: `${SERVER}/admin/operations/settle-undecided.ts`,
    in: 'resultOf',
    find: 'return { write: $WRITE, ...($LINKED && { link: $REAL }) }',
    replace: 'return { write: $WRITE }',
    about: 'decisions',
    seed: 1,
  },
  {
    law: 'a source says at every request whose copy a user has',
    file: `${SERVER}/backend/sources/partition-of.ts`,
    in: 'computeName',
    find: '$NAME = $METHODS.partitionName?.($LOGIN)',
    replace: `const known = (($METHODS as any).known ??= new Map()) as Map<string, unknown>
    if (!known.has($LOGIN)) known.set($LOGIN, $METHODS.partitionName?.($LOGIN))
    $NAME = known.get($LOGIN)`,
    about: 'teams',
    seed: 1,
  },
  {
    law: 'of one change in doubt in two partitions only one is called again',
    file: `${SERVER}/admin/operations/retry-once.ts`,
    in: 'retryOnce',
    find: 'await checkOtherPartitions($$$)',
    replace: 'void checkOtherPartitions',
    about: 'teams',
    seed: 13,
  },
  {
    law: 'only a doubt is retried',
    file: `${STORE}/memory/journal.ts`,
    in: 'decisionMethods',
    find: "if ($FOUND?.entry.state !== 'in_doubt') return $REFUSED",
    replace: "if ($FOUND === undefined || $FOUND.entry.state === 'started') return $REFUSED",
    about: 'decisions',
    seed: 5,
  },
  {
    law: 'what is decided is not discarded',
    file: `${SERVER}/admin/operations/undecided-mutations.ts`,
    in: 'discardUndecided',
    find: "if ($ENTRY.state !== 'in_doubt') throw notInDoubt($ENTRY)",
    replace: '',
    also: [
      {
        file: `${STORE}/history/owners.ts`,
        in: 'mayDecide',
        find: "if ($ENTRY.state === 'decided') return false",
        replace: '',
      },
    ],
    about: 'decisions',
    seed: 24,
  },
  {
    law: 'what is decided is not settled by hand',
    file: `${SERVER}/admin/operations/settle-undecided.ts`,
    in: 'settleUndecided',
    find: "if ($ENTRY.state !== 'in_doubt') throw notInDoubt($ENTRY)",
    replace: '',
    also: [
      {
        file: `${STORE}/history/owners.ts`,
        in: 'mayDecide',
        find: "if ($ENTRY.state === 'decided') return false",
        replace: '',
      },
    ],
    about: 'decisions',
    seed: 102,
  },
]
