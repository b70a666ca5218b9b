import { MODEL, type Mutant, SERVER, STORE } from './mutant.js'

/** Pulls: passes from zero, positions, tombstones, the rows of a device. */
export const pullMutants: readonly Mutant[] = [
  {
    law: 'an answer to a pull counts only while its request does',
    file: `${MODEL}/sync/apply-page.ts`,
    in: 'applyPage',
    find: 'if ($KNOWN.sync !== $SYNC) return STALE',
    replace: '',
    seed: 595,
  },
  {
    law: 'another epoch voids what the device knows',
    file: `${MODEL}/sync/apply-page.ts`,
    in: 'applyPage',
    find: '$KNOWN.epoch !== null',
    replace: '$KNOWN.epoch === ""',
    seed: 182,
  },
  {
    law: 'the end of a pass from zero removes what it did not bring',
    file: `${MODEL}/records/store-row.ts`,
    in: 'ServerRows.removeOtherPasses',
    find: '$ROWS.ofOtherPasses(this.#pass, $RANGE)',
    replace: '[]',
    seed: 9,
  },
  {
    law: 'a resync never removes unsent creates',
    file: `${MODEL}/database/model-rows.ts`,
    in: 'ModelRows.ofOtherPasses',
    find: "'SELECT object, version FROM $table WHERE seq > ? AND seq <= ? AND entry IS NULL AND pass NOT IN (?, ?)'",
    replace: "'SELECT object, version FROM $table WHERE seq > ? AND seq <= ? AND pass NOT IN (?, ?)'",
    seed: 1,
  },
  {
    law: 'what the app wrote is laid over the rows of the server',
    file: `${MODEL}/records/store-row.ts`,
    in: 'ServerRows.#writeRow',
    find: 'if (this.#isUndecided($OBJECT)) { this.#replaceServerRow($OBJECT, $ROW) } else $ELSE',
    replace:
      'if (this.#isUndecided($OBJECT) && ($ROW).pass === 0) { this.#replaceServerRow($OBJECT, $ROW) } else $ELSE',
    seed: 9,
  },
  {
    law: 'a change tells the row of the server that is beneath it',
    file: `${MODEL}/outbox/object-state.ts`,
    in: 'serverRowOf',
    find: 'undoChanges($SHOWN, $CHANGE)',
    replace: '$SHOWN',
    seed: 9,
  },
  {
    law: 'a row and the token that tells of it are stored together',
    file: `${MODEL}/sync/pull.ts`,
    in: 'apply',
    find: `const $RUN = () => {
      const $APPLIED = applyPage($$$ARGS)
      const $DUPLICATES = $STALE ? [] : duplicatesOf($DATABASE, $MODEL, $PAGE.eachInsert)
      $$$REST
    }`,
    replace: `$DATABASE.transaction(() => $MODEL.scope.sources.change($MODEL.name, { token: $PAGE.token }))
    const $RUN = () => {
      const $APPLIED = applyPage($$$ARGS)
      const $DUPLICATES = $STALE ? [] : duplicatesOf($DATABASE, $MODEL, $PAGE.eachInsert)
      $$$REST
    }`,
    seed: 31,
  },
  {
    law: 'a new client id starts from zero',
    file: `${MODEL}/run/client.ts`,
    in: 'claimClient',
    find: 'if ($CLIENT === $ID) return',
    replace: 'if ($CLIENT !== null) return',
    seed: 9,
  },
  {
    law: 'a pass from zero brings the tombstones of its time',
    file: `${STORE}/history/read-from.ts`,
    in: 'tombstonesAfter',
    find: '$FROM.base === 0 ? $FROM.start : 0',
    replace: '$FROM.base === 0 ? Number.MAX_SAFE_INTEGER : 0',
    seed: 87,
  },
  {
    law: 'base stands still while a pass runs',
    file: `${SERVER}/device/pull/pass.ts`,
    in: 'passOf',
    find: {
      context: '({ ...$AT, base: $BASE ?? 0, start: $START, after: $LAST ?? $AFTER ?? $ZERO })',
      selector: 'object',
    },
    replace: '{ ...$AT, base: $LAST?.version ?? $BASE ?? 0, start: $START, after: $LAST ?? $AFTER ?? $ZERO }',
    seed: 207,
  },
  {
    law: 'a position of another mark is void',
    file: `${STORE}/history/read-from.ts`,
    in: 'validPosition',
    find: '$FROM.mark !== $MARK',
    replace: '($FROM.mark !== $MARK && $MARK === "")',
    seed: 991,
  },
  {
    law: 'a position above the head is void',
    file: `${STORE}/history/read-from.ts`,
    in: 'validPosition',
    find: '$VOID || $FROM.head > $HEAD.version || $FROM.mark !== $MARK',
    replace: '$VOID || ($MARK !== undefined && $FROM.mark !== $MARK)',
    about: 'rewinds',
    seed: 15,
  },
  {
    law: 'the floor is compared with the base, not with the position',
    file: `${STORE}/history/read-from.ts`,
    in: 'validPosition',
    find: '$FROM.base > 0 ? $FROM.base : $FROM.start',
    replace: '$FROM.after.version',
    seed: 44,
  },
  {
    law: 'a token of another nonce is void',
    file: `${SERVER}/device/pull/pass.ts`,
    in: 'pullPositionOf',
    find: '$TOKEN.nonce !== $NONCE',
    replace: '$NONCE === "-"',
    seed: 52,
  },
  {
    law: 'a pass goes on while a read leaves rows behind',
    file: `${SERVER}/device/pull/pass.ts`,
    in: 'passOf',
    find: `{
      $$$BEFORE
      const $ENDS = !$MORE
      $$$BETWEEN
      const $LAST = $ROWS.at(-1)
      $$$AFTER
    }`,
    replace: `{
      $$$BEFORE
      const $ENDS = !$MORE || $ROWS.length > 0
      $$$BETWEEN
      const $LAST = $ROWS.at(-1)
      $$$AFTER
    }`,
    seed: 1,
  },
  {
    law: 'the order of changes is by version and id',
    file: `${STORE}/history/read-from.ts`,
    in: 'belongsToAnswer',
    find: 'comparePositions($ROW, $AFTER) > 0',
    replace: '$ROW.version > $AFTER.version',
    seed: 2,
  },
  {
    law: 'an epoch is never given again',
    file: `${STORE}/memory/memory-collection.ts`,
    in: 'MemoryCollection.constructor',
    find: 'this.epoch = $AROUND.randomId()',
    replace: 'this.epoch = "epoch"',
    seed: 2311,
  },
  {
    law: 'a server that lost outcomes is noticed',
    file: `${SERVER}/device/pull/pull.ts`,
    in: 'readPage',
    find: 'if ($LOST) throw clientForkedError()',
    replace: '',
    seed: 2363,
  },
  {
    law: 'a removal leaves a tombstone, known id or not',
    file: `${STORE}/history/change-object.ts`,
    in: 'changeObject',
    find: 'if ($CHANGE.remove) return { text: null, equal: $PRESENT === null }',
    replace: `if ($CHANGE.remove && $PRESENT === undefined) return undefined
      if ($CHANGE.remove) return { text: null, equal: $PRESENT === null }`,
    seed: 2377,
  },
  {
    law: 'a pass from zero does not end before the first query',
    file: `${SERVER}/device/pull/pull.ts`,
    in: 'staysOpen',
    find: 'isUnqueried($SOURCE, $HEAD)',
    replace: 'isUnqueried($SOURCE, $HEAD) && $HEAD.queriesRequested < 0',
    about: 'bulk',
    seed: 7,
  },
  {
    law: 'a position below the floor is void',
    file: `${STORE}/history/read-from.ts`,
    in: 'validPosition',
    find: '$LOWEST < $HEAD.floor',
    replace: '$LOWEST < 0',
    about: 'quotas',
    seed: 94,
  },
  {
    law: 'equal content is no change',
    file: `${STORE}/memory/memory-collection.ts`,
    in: 'MemoryCollection.apply',
    find: '!$CHANGED.equal || $KEEP || $CALLED($ID)',
    replace: "!$CHANGED.equal || $KEEP || $CALLED($ID) || $ID !== ''",
    seed: 2,
  },
  {
    law: 'null is absent',
    file: `${STORE}/history/attributes-text.ts`,
    in: 'valueText',
    find: "$TEXT === 'null' ? undefined : $TEXT",
    replace: '$TEXT',
    seed: 1,
  },
  {
    law: 'a migration that adds attributes voids the token',
    file: `${MODEL}/records/adopt.ts`,
    in: 'adopt',
    find: 'hasNewAttributes($BEFORE, $MODEL.definition)',
    replace: 'hasNewAttributes($BEFORE, $MODEL.definition) && !$MODEL.synced',
    seed: 14,
  },
]
