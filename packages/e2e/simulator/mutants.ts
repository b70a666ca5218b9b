/** A fault planted into the product: `find` stands once in `file` and becomes `replace`. */
export interface Mutant {
  /** The law that it breaks. */
  readonly law: string
  readonly file: string
  readonly find: string
  readonly replace: string
  /** Of a tested history that notices it, to be quick. */
  readonly seed: number
}

const MODEL = 'packages/model/src'
const SERVER = 'packages/server/src'
const STORE = 'packages/store/src'

/** One for every law of the history, of writes and of queries that a history can show. docs/simulator.md says which it cannot, and why. */
export const mutants: readonly Mutant[] = [
  {
    law: 'an edit never joins an entry that is in a request',
    file: `${MODEL}/outbox/add.ts`,
    find: 'const isOpen = (entry: Entry): boolean => entry.key === null',
    replace: 'const isOpen = (_: Entry): boolean => true',
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
    law: 'an answer to a pull counts only while its request does',
    file: `${MODEL}/sync/apply-page.ts`,
    find: 'if (known.sync !== sync) return STALE',
    replace: '',
    seed: 463,
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
    seed: 263,
  },
  {
    law: 'what may have been sent before is marked so',
    file: `${MODEL}/database/tables/outbox-table.ts`,
    find: 'sent = CASE WHEN "key" IS NULL THEN 0 ELSE 1 END',
    replace: 'sent = 0',
    seed: 21,
  },
  {
    law: 'another epoch voids what the device knows',
    file: `${MODEL}/sync/apply-page.ts`,
    find: 'const otherEpoch = known.epoch !== null && known.epoch !== page.epoch',
    replace: 'const otherEpoch = known.epoch === "" && known.epoch !== page.epoch',
    seed: 21,
  },
  {
    law: 'the end of a pass from zero removes what it did not bring',
    file: `${MODEL}/sync/apply-page.ts`,
    find: 'if (state.resync) rows.removeOtherPasses()',
    replace: '',
    seed: 9,
  },
  {
    law: 'a resync never removes unsent creates',
    file: `${MODEL}/records/store-row.ts`,
    find: '.filter(([object]) => !this.#isUndecided(object))',
    replace: '',
    seed: 1,
  },
  {
    law: 'what the app wrote is laid over the rows of the server',
    file: `${MODEL}/records/store-row.ts`,
    find: 'if (this.#isUndecided(object)) {',
    replace: 'if (this.#isUndecided(object) && pass === 0) {',
    seed: 9,
  },
  {
    law: 'a row and the token that tells of it are stored together',
    file: `${MODEL}/sync/pull.ts`,
    find: '  const run = () =>',
    replace:
      '  database.transaction(() => model.partition.sources.change(model.name, { token: page.token }))\n  const run = () =>',
    seed: 4,
  },
  {
    law: 'after a resync what was accepted is sent again',
    file: `${MODEL}/sync/apply-page.ts`,
    find: 'model.partition.outbox.takeAgain(model.name)',
    replace: '',
    seed: 618,
  },
  {
    law: 'a new client id begins anew',
    file: `${MODEL}/sync/sync-source.ts`,
    find: 'if (client !== clientId) database.durable',
    replace: 'if (client === null) database.durable',
    seed: 9,
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
    seed: 132,
  },
  {
    law: 'conflicts are judged once, on the object as it stood',
    file: `${STORE}/memory/journal.ts`,
    find: 'entry.first ??= {',
    replace: 'entry.first = {',
    seed: 1508,
  },
  {
    law: 'a settlement never overwrites what came during the call',
    file: `${STORE}/history/settled-write.ts`,
    find: 'if (sameValue(now, presentValue(before, name)) || sameValue(now, value)) written[name] = value',
    replace: 'if (sameValue(now, presentValue(before, name)) || spared === 0) written[name] = value',
    seed: 755,
  },
  {
    law: 'what a settlement spared makes the partition due',
    file: `${STORE}/memory/settle.ts`,
    find: 'if (settlement.ask || spared > 0) collection.asked++',
    replace: 'if (settlement.ask) collection.asked++',
    seed: 212,
  },
  {
    law: 'a decided create rewrites what waits for it',
    file: `${STORE}/memory/settle.ts`,
    find: 'dependent.mutation = rewritten(dependent.mutation, links)',
    replace: 'rewritten(dependent.mutation, links)',
    seed: 21,
  },
  {
    law: 'a key that the journal knows is that same mutation',
    file: `${STORE}/memory/accept.ts`,
    find: "if (known && verdict === 'moved') book.move(known, acceptance.client, mutation.number)",
    replace: '',
    seed: 55,
  },
  {
    law: 'what may have run before does not run on a source that is not idempotent',
    file: `${STORE}/history/accept.ts`,
    find: "return mutation.sent && !acceptance.idempotent ? 'in_doubt' : 'queued'",
    replace: "return mutation.sent && acceptance.idempotent ? 'queued' : 'queued'",
    seed: 21,
  },
  {
    law: 'a call that said nothing is repeated only where that does no harm',
    file: `${SERVER}/push/run-mutation.ts`,
    find: '  const release = source.idempotent\n',
    replace: '  const release = source.name !== ""\n',
    seed: 24,
  },
  {
    law: 'a call that died with its process is repeated only where that does no harm',
    file: `${SERVER}/push/recover.ts`,
    find: 'const release = source.idempotent\n',
    replace: 'const release = source.name !== ""\n',
    seed: 137,
  },
  {
    law: 'a pass from zero brings the tombstones of its time',
    file: `${STORE}/history/read-from.ts`,
    find: 'return from.base === 0 ? from.start : 0',
    replace: 'return from.base === 0 ? Number.MAX_SAFE_INTEGER : 0',
    seed: 3,
  },
  {
    law: 'base stands still while a pass runs',
    file: `${SERVER}/pull/pass.ts`,
    find: 'base: goesOn?.from.base ?? 0,',
    replace: 'base: last?.version ?? goesOn?.from.base ?? 0,',
    seed: 91,
  },
  {
    law: 'a position of another mark is void',
    file: `${STORE}/history/read-from.ts`,
    find: ' || from.mark !== mark) return undefined',
    replace: ' || (from.mark !== mark && mark === "")) return undefined',
    seed: 11,
  },
  {
    law: 'a position above the head is void',
    file: `${STORE}/history/read-from.ts`,
    find: 'from.head > head.version || from.mark !== mark',
    replace: '(mark !== undefined && from.mark !== mark)',
    seed: 33,
  },
  {
    law: 'the floor is compared with the base, not with the position',
    file: `${STORE}/history/read-from.ts`,
    find: 'from.base > 0 ? from.base : from.start',
    replace: 'from.after.version',
    seed: 104,
  },
  {
    law: 'a token of another nonce is void',
    file: `${SERVER}/pull/pass.ts`,
    find: 'if (token === undefined || token.nonce !== nonce)',
    replace: 'if (token === undefined || nonce === "-")',
    seed: 52,
  },
  {
    law: 'a pass ends when a read finds fewer rows than it may return',
    file: `${SERVER}/pull/pass.ts`,
    find: 'const ends = rows.length < limit\n',
    replace: 'const ends = rows.length <= limit\n',
    seed: 1,
  },
  {
    law: 'the order of changes is by version and id',
    file: `${STORE}/history/read-from.ts`,
    find: 'return comparePositions(row, after) > 0 && (row.text',
    replace: 'return row.version > after.version && (row.text',
    seed: 2,
  },
  {
    law: 'outcomes are read before the rows',
    file: `${SERVER}/pull/pull.ts`,
    find: `  const { outcomes, last } = await engine.store.journal.outcomes(collection, client.id, after)
  const found = await read(engine, collection, { from: place.from, limit: pageSize })
`,
    replace: `  const found = await read(engine, collection, { from: place.from, limit: pageSize })
  const { outcomes, last } = await engine.store.journal.outcomes(collection, client.id, after)
`,
    seed: 272,
  },
  {
    law: 'a query never overwrites what changed after it began',
    file: `${STORE}/history/replacement.ts`,
    find: "return present && present.version > since ? 'spare' : 'write'",
    replace: "return present && present.version > since && since < 0 ? 'spare' : 'write'",
    seed: 2,
  },
  {
    law: 'a query knows how late its backend shows writes',
    file: `${SERVER}/query/run-query.ts`,
    find: 'source.settle > 0 ? await',
    replace: 'source.settle < 0 ? await',
    seed: 2,
  },
  {
    law: 'a query that would remove most of many objects is refused',
    file: `${STORE}/history/replacement.ts`,
    find: "return share > options.maxRemovedShare ? { refused: 'share' } : undefined",
    replace: 'return undefined',
    seed: 52,
  },
  {
    law: 'a query that fails changes nothing',
    file: `${SERVER}/query/query-stream.ts`,
    find: '  for await (const part of partsOf(source.name, await answer, stash)) {',
    replace: '  for await (const part of partsOf(source.name, await answer.catch(() => ({})), stash)) {',
    seed: 451,
  },
  {
    law: 'a removal leaves a tombstone, known id or not',
    file: `${STORE}/history/change-object.ts`,
    find: 'if (change.remove) return { text: null, equal: present === null }',
    replace: 'if (change.remove) return present === undefined ? undefined : { text: null, equal: present === null }',
    seed: 117,
  },
  {
    law: 'an epoch is never given again',
    file: `${STORE}/memory/memory-collection.ts`,
    find: 'this.epoch = around.randomId()',
    replace: 'this.epoch = "epoch"',
    seed: 21,
  },
  {
    law: 'one in doubt is told to a device that has forgotten it',
    file: `${SERVER}/push/push.ts`,
    find: "return [{ number, status: 'in_doubt', version, ...(outcome?.error && { error: outcome.error }) }]",
    replace: 'return outcome ? [] : []',
    seed: 62,
  },
  {
    law: 'a source is told real ids whatever its journal keeps',
    file: `${SERVER}/push/run-mutation.ts`,
    find: 'content ? await relinked(engine, started.entry, content) : started.entry.mutation',
    replace: 'content ?? started.entry.mutation',
    seed: 119,
  },
  {
    law: 'what needs a refused object is refused',
    file: `${STORE}/history/owners.ts`,
    find: "if (standings.includes('failed')) return 'owner'",
    replace: '',
    seed: 325,
  },
  {
    law: 'what needs an undecided object waits',
    file: `${STORE}/history/owners.ts`,
    find: "return waits || facts.objectIsBusy || standings.includes('undecided') ? 'held' : undefined",
    replace: "return waits || facts.objectIsBusy ? 'held' : undefined",
    seed: 37,
  },
  {
    law: 'a journal whose writes wait in a queue is drained',
    file: `${SERVER}/jobs/ask.ts`,
    find: "kind: 'drain', data",
    replace: "kind: 'nothing', data",
    seed: 2001,
  },
  {
    law: 'the very first pull waits for the query, in a queue too',
    file: `${SERVER}/query/queued-query.ts`,
    find: 'if (head.queriedAt !== undefined) {',
    replace: 'if (head.asked >= 0) {',
    seed: 2057,
  },
]
