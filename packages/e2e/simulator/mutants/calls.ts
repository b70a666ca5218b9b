import { type Mutant, SERVER, STORE } from './mutant.js'

/** Backend calls, their repeats, and the settling of their results. */
export const callsMutants: readonly Mutant[] = [
  {
    law: 'a settlement never overwrites what came during the call',
    file: `${STORE}/history/settled-write.ts`,
    find: 'const isThere = sameValue(now, value)',
    replace: 'const isThere = true',
    seed: 843,
  },
  {
    law: 'what a settlement spared makes the partition due',
    file: `${STORE}/memory/settle.ts`,
    find: 'if (settlement.ask || asks) collection.requestQuery()',
    replace: 'if (settlement.ask) collection.requestQuery()',
    seed: 226,
  },
  {
    law: 'what a backend says during a call counts, though it says nothing new',
    file: `${STORE}/memory/memory-collection.ts`,
    find: '(!changed.equal || keepEqual || isCalled(id))',
    replace: '(!changed.equal || keepEqual)',
    seed: 2253,
  },
  {
    law: 'a call whose result is not settled makes the partition due',
    file: `${SERVER}/push/run-mutation.ts`,
    find: '    await engine.store.collections.requestQuery(collection)\n',
    replace: '',
    about: 'orphans',
    seed: 4,
  },
  {
    law: 'a call that said nothing is repeated only where that does no harm',
    file: `${SERVER}/push/run-mutation.ts`,
    find: '  const release = source.idempotent\n',
    replace: '  const release = source.name !== ""\n',
    seed: 38,
  },
  {
    law: 'a call that died with its process is repeated only where that does no harm',
    file: `${SERVER}/push/recover.ts`,
    find: 'const release = source.idempotent\n',
    replace: 'const release = source.name !== ""\n',
    seed: 166,
  },
  {
    law: 'a source is told real ids whatever its journal keeps',
    file: `${SERVER}/push/run-mutation.ts`,
    find: 'content ? await linkContent(engine, started.entry, content) : started.entry.mutation',
    replace: 'content?.mutation ?? started.entry.mutation',
    seed: 119,
  },
  {
    law: 'a doubt makes the partition due',
    file: `${STORE}/memory/settle.ts`,
    find: "  collection.requestQuery()\n  decideByCode(collection, entry, 'in_doubt', error)",
    replace: "  decideByCode(collection, entry, 'in_doubt', error)",
    seed: 325,
  },
  {
    law: 'a call that may be a repeat makes the partition due',
    file: `${STORE}/memory/settle.ts`,
    find: 'if (settlement.ask || asks)',
    replace: 'if (asks)',
    seed: 2031,
  },
]
