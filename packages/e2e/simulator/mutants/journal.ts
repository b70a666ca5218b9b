import { MODEL, type Mutant, SERVER, STORE } from './mutant.js'

/** The journal of a server: what it accepts, in which order it runs, and its outcomes. */
export const journalMutants: readonly Mutant[] = [
  {
    law: 'conflicts are judged once, on the object as it stood',
    file: `${STORE}/memory/journal.ts`,
    in: 'start',
    find: '$ENTRY.first ??= $FIRST',
    replace: '$ENTRY.first = $FIRST',
    seed: 2301,
  },
  {
    law: 'a decided create rewrites what waits for it',
    file: `${STORE}/memory/settle.ts`,
    in: 'passOn',
    find: '$DEPENDENT.mutation = rewriteIds($DEPENDENT.mutation, $LINKS)',
    replace: 'rewriteIds($DEPENDENT.mutation, $LINKS)',
    seed: 21,
  },
  {
    law: 'a key that the journal knows is that same mutation',
    file: `${STORE}/memory/accept.ts`,
    in: 'take',
    find: "if ($KNOWN && $VERDICT === 'moved') $MOVE",
    replace: '',
    seed: 56,
  },
  {
    law: 'what may have run before does not run on a source that is not idempotent',
    file: `${STORE}/history/accept.ts`,
    in: 'firstState',
    find: "$MUTATION.sent && !$ACCEPTANCE.idempotent ? 'in_doubt' : 'queued'",
    replace: "$MUTATION.sent && $ACCEPTANCE.idempotent ? 'queued' : 'queued'",
    seed: 72,
  },
  {
    law: 'what needs a refused object is refused',
    file: `${STORE}/history/owners.ts`,
    in: 'obstacle',
    find: "if ($STANDINGS.includes('failed')) return 'owner'",
    replace: '',
    about: 'families',
    seed: 2,
  },
  {
    law: 'what needs an undecided object waits',
    file: `${STORE}/history/owners.ts`,
    in: 'obstacle',
    find: "$WAITS || $STANDINGS.includes('undecided')",
    replace: '$WAITS',
    seed: 2331,
  },
  {
    law: 'a journal whose writes wait in a queue is drained',
    file: `${SERVER}/backend/jobs/enqueue.ts`,
    in: 'enqueueDrain',
    find: { context: "({ kind: 'drain' })", selector: 'pair' },
    replace: "kind: 'nothing'",
    seed: 2001,
  },
  {
    law: 'a server that lost what it had accepted is noticed',
    file: `${MODEL}/sync/sync-source.ts`,
    in: 'rounds',
    find: { context: '({ check: $ROUND === 0 })', selector: 'pair' },
    replace: 'check: false',
    seed: 56,
  },
  {
    law: 'an outcome tells that its object was removed during the call',
    file: `${STORE}/history/outcome.ts`,
    in: 'outcomeOf',
    find: { context: '({ removed: true })', selector: 'object' },
    replace: '{}',
    seed: 735,
  },
  {
    law: 'what was accepted reaches the backend though no device asks again',
    file: `${SERVER}/start/background.ts`,
    in: 'startBackground',
    find: `() => {
      $SWEEPS.begin()
      $BEGIN(() => $QUERIES.run())
      $BEGIN(() => $DUE.addPending())
    }`,
    replace: `() => {
      $SWEEPS.begin()
      $BEGIN(() => $DUE.addPending())
    }`,
    seed: 2384,
  },
  {
    law: 'a device that acknowledged an unknown outcome is told to start from zero',
    file: `${SERVER}/device/push/outcomes-of.ts`,
    in: 'readOutcomes',
    find: '($OUTCOME?.outcome ?? 0) <= $ACKNOWLEDGED',
    replace: '($OUTCOME?.outcome ?? 0) < 0',
    seed: 2324,
  },
  {
    law: 'one mutation of an object is started at a time, of any client',
    file: `${STORE}/memory/journal.ts`,
    in: 'objectIsBusy',
    find: "$OTHER.state === 'started' || $EARLIER",
    replace: '$EARLIER',
    seed: 2301,
  },
  {
    law: 'mutations of one object run in their order',
    file: `${STORE}/memory/journal.ts`,
    in: 'objectIsBusy',
    find: "$OTHER.state === 'started' || $EARLIER",
    replace: "$OTHER.state === 'started'",
    about: 'quotas',
    seed: 17,
  },
  {
    law: 'one in doubt is told again, whatever was acknowledged',
    file: `${SERVER}/device/push/outcomes-of.ts`,
    in: 'readOutcomes',
    find: 'isUnreported($TOLD)($ENTRY.mutation)',
    replace: "isUnreported($TOLD)($ENTRY.mutation) && $ENTRY.state !== 'in_doubt'",
    about: 'quotas',
    seed: 7,
  },
  {
    law: 'a push of another epoch accepts nothing',
    file: `${STORE}/history/accept.ts`,
    in: 'judgeAcceptance',
    find: 'if ($ACCEPTANCE.epoch !== $KNOWN.epoch) return $REFUSED',
    replace: "if ($KNOWN.epoch === undefined) return { refused: 'epoch', epoch: '' }",
    about: 'teams',
    seed: 3,
  },
  {
    law: 'an outcome carries the object unless its device has it',
    file: `${STORE}/history/outcome.ts`,
    in: 'outcomeOf',
    find: '!isOnDevice($MUTATION, $$$STATES)',
    replace: "$MUTATION.operation === 'create'",
    seed: 9,
  },
  {
    law: 'an outcome has the version of its object, not of the head',
    file: `${STORE}/history/outcome.ts`,
    in: 'outcomeOf',
    find: "$AFTER.state === 'never' ? $VERSION : $AFTER.version",
    replace: '$VERSION',
    seed: 9,
  },
  {
    law: 'an outcome has the version that it wrote',
    file: `${STORE}/history/outcome.ts`,
    in: 'outcomeOf',
    find: {
      context: `({
        $$$BEFORE,
        version: $AFTER.state === 'never' ? $VERSION : $AFTER.version,
        ...($LIVE && !isOnDevice($MUTATION, $FORMER, $ATTRIBUTES) && $CONTENT),
        $$$REST
      })`,
      selector: 'object',
    },
    replace: `{
      $$$BEFORE,
      version: $FORMER.state === 'never' ? $VERSION : $FORMER.version,
      ...($LIVE && !isOnDevice($MUTATION, $FORMER, $ATTRIBUTES) && $CONTENT),
      $$$REST
    }`,
    seed: 2,
  },
]
