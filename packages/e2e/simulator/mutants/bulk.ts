import { MODEL, type Mutant, SERVER } from './mutant.js'

/** Collections delivered as a file. */
export const bulkMutants: readonly Mutant[] = [
  {
    law: 'a file has nothing of a source whose first query is to come',
    file: `${SERVER}/bulk/read-into.ts`,
    find: 'if (isUnqueried(source, changes.head)) {',
    replace: "if (source.name === '') {",
    about: 'bulk',
    seed: 4,
  },
  {
    law: 'a device keeps what it has of a source that is not in the file yet',
    file: `${MODEL}/sync/bulk.ts`,
    find: 'models.filter(({ name }) => !pending.has(name)).map',
    replace: "models.filter(({ name }) => name !== '').map",
    about: 'bulk',
    seed: 4,
  },
  {
    law: 'a file of a source that comes as files alone is as the source is',
    file: `${SERVER}/bulk/bulk-data.ts`,
    find: "if (part !== undefined && head.version !== part.head) return 'older'",
    replace: '',
    about: 'bulk',
    seed: 19,
  },
  {
    law: 'a file of a collection that was made again is void',
    file: `${SERVER}/bulk/bulk-data.ts`,
    find: "if (standings.includes('void')) return false",
    replace: '',
    about: 'bulk',
    seed: 38,
  },
  {
    law: 'an import removes what the file does not have',
    file: `${MODEL}/sync/import-bulk.ts`,
    find: 'if (isRead) progress.swept = rows.removeOtherPasses(progress.swept, isOver)',
    replace: '',
    about: 'bulk',
    seed: 4,
  },
  {
    law: 'a file undoes nothing on a device that has to load all rows again',
    file: `${MODEL}/sync/import-bulk.ts`,
    find: 'if (isOutdated(model, known, facts)) return { model, rows: 0, newer: true, outdated: true }',
    replace: '',
    about: 'bulk',
    seed: 33000717,
  },
  {
    law: 'a device takes another client for bulk data',
    file: `${MODEL}/sync/bulk.ts`,
    find: 'if (recoveries === RECOVERIES || !isClientVoid(error)) throw error',
    replace: 'if (recoveries >= 0 || !isClientVoid(error)) throw error',
    about: 'bulk',
    seed: 35,
  },
]
