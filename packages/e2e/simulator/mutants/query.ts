import { type Mutant, SERVER, STORE } from './mutant.js'

/** Queries of a source, and how their results replace a collection. */
export const queryMutants: readonly Mutant[] = [
  {
    law: 'what a query spared makes the partition due',
    file: `${STORE}/memory/replace.ts`,
    find: 'if (spared > 0) collection.asked++',
    replace: '',
    seed: 2221,
  },
  {
    law: 'a query never overwrites what changed after it began',
    file: `${STORE}/history/replacement.ts`,
    find: "return present && present.version > since ? 'spare' : 'write'",
    replace: "return present && present.version > since && since < 0 ? 'spare' : 'write'",
    seed: 774,
  },
  {
    law: 'a query knows how late its backend shows writes',
    file: `${SERVER}/query/query-results.ts`,
    find: 'source.settle > 0 ? await',
    replace: 'source.settle < 0 ? await',
    seed: 774,
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
    file: `${SERVER}/query/query-results.ts`,
    find: '  for await (const part of partsOf(source.name, await answer, stash)) {',
    replace: '  for await (const part of partsOf(source.name, await answer.catch(() => ({})), stash)) {',
    seed: 168,
  },
  {
    law: 'only a query begun after it serves an asking',
    file: `${STORE}/memory/replace.ts`,
    find: 'Math.max(collection.served, options.asked)',
    replace: 'collection.asked',
    seed: 2264,
  },
  {
    law: 'while a query runs an equal write counts',
    file: `${STORE}/memory/memory-collection.ts`,
    find: '(!changed.equal || keepEqual || isCalled(id))',
    replace: '(!changed.equal || isCalled(id))',
    about: 'overtaken',
    seed: 23,
  },
  {
    law: 'a query names its epoch where it writes',
    file: `${STORE}/history/replacement.ts`,
    find: 'if (head?.epoch !== options.epoch) return',
    replace: 'if (head === undefined) return',
    seed: 2262,
  },
  {
    law: 'a late query brings nothing back that was removed since, though its tombstone went',
    file: `${STORE}/history/replacement.ts`,
    find: "if (options.since < head.floor) return { refused: 'floor' }",
    replace: '',
    also: [
      {
        file: `${STORE}/memory/collections.ts`,
        find: "if (!found || world.leases.isHeld({ kind: 'query', collection })) return",
        replace: 'if (!found) return',
      },
    ],
    about: 'outrun',
    seed: 1,
  },
  {
    law: 'the history that a late backend needs is kept',
    file: `${SERVER}/push/compact-all.ts`,
    find: 'Math.min(head?.version ?? 0, settled, ...bases)',
    replace: 'Math.min(head?.version ?? 0, ...bases)',
    also: [
      {
        file: `${STORE}/history/replacement.ts`,
        find: "if (options.since < head.floor) return { refused: 'floor' }",
        replace: '',
      },
    ],
    about: 'compactions',
    seed: 5,
  },
]
