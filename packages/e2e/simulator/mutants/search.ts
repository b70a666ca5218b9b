import { MODEL, type Mutant, SERVER } from './mutant.js'

/** Searches and pass-through sources, whose rows no collection stores. */
export const searchMutants: readonly Mutant[] = [
  {
    law: 'a journal keeps no content of what passes through',
    file: `${SERVER}/push/push.ts`,
    find: 'contentless: source.passThrough',
    replace: 'contentless: false',
    about: 'passing',
    seed: 4,
  },
  {
    law: 'a change whose content only an emptied device had is given up',
    file: `${SERVER}/push/abandoned-calls.ts`,
    find: 'const isAbandoned = now - since >= ABANDONED_AFTER',
    replace: 'const isAbandoned = false',
    about: 'passing',
    seed: 9,
  },
  {
    law: 'a page of what passes through ends before what the source did not give',
    file: `${SERVER}/pass-through/fill-rows.ts`,
    find: 'const isCut = end >= 0',
    replace: 'const isCut = end === -2',
    about: 'passing',
    seed: 2,
  },
  {
    law: 'what only a search finds enters no collection',
    file: `${SERVER}/push/call-backend.ts`,
    find: "    if (!task.stored) return { result: 'done' }\n",
    replace: '',
    about: 'searches',
    seed: 3,
  },
  {
    law: 'what a search found takes the place of no row',
    file: `${MODEL}/records/store-row.ts`,
    find: 'const isShown = rows.insert(object, row) || (rows.stamp(object)?.pass === FOUND && rows.update(object, row))',
    replace: 'const isShown = rows.insert(object, row) || rows.update(object, row)',
    about: 'searches',
    seed: 4,
  },
  {
    law: 'a change of a found row keeps what else was found',
    file: `${MODEL}/sync/apply-outcomes.ts`,
    find: '      const attributes = mergeAttributes(beneath.attributes, entry.whole ?? entry.attributes)\n',
    replace: '      const attributes = entry.attributes\n',
    about: 'searches',
    seed: 3,
  },
  {
    law: 'rows from search never join the checksum',
    file: `${MODEL}/records/store-row.ts`,
    find: 'const row = { version: 0, pass: FOUND',
    replace: 'const row = { version: 1, pass: FOUND',
    about: 'searches',
    seed: 2,
  },
]
