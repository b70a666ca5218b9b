import { MODEL, type Mutant, SERVER } from './mutant.js'

/** Collections delivered as a file. */
export const bulkMutants: readonly Mutant[] = [
  {
    law: 'a file has nothing of a source whose first query is to come',
    file: `${SERVER}/device/bulk/read-into.ts`,
    in: 'readInto',
    find: `if (isUnqueried($SOURCE, $HEAD)) {
      $$$DROP
      return undefined
    }`,
    replace: `if ($SOURCE.name === '') {
      $$$DROP
      return undefined
    }`,
    about: 'bulk',
    seed: 4,
  },
  {
    law: 'a device keeps what it has of a source that is not in the file yet',
    file: `${MODEL}/bulk/load-bulk-data.ts`,
    in: 'load',
    find: '!$PENDING.has($NAME)',
    replace: "$NAME !== ''",
    about: 'bulk',
    seed: 4,
  },
  {
    law: 'a file of a source that comes as files alone is as the source is',
    file: `${SERVER}/device/bulk/bulk-data.ts`,
    in: 'comparePart',
    find: "if ($PART !== undefined && $HEAD.version !== $PART.head) return 'older'",
    replace: '',
    about: 'bulk',
    seed: 19,
  },
  {
    law: 'a file of a collection that was made again is void',
    file: `${SERVER}/device/bulk/bulk-data.ts`,
    in: 'isCurrent',
    find: "if ($STANDINGS.includes('void')) return false",
    replace: '',
    about: 'bulk',
    seed: 38,
  },
  {
    law: 'an import removes what the file does not have',
    file: `${MODEL}/bulk/import-bulk.ts`,
    in: 'importPart',
    find: 'if ($READ) $PROGRESS.swept = $ROWS.removeOtherPasses($$$)',
    replace: '',
    about: 'bulk',
    seed: 4,
  },
  {
    law: 'a file undoes nothing on a device that has to load all rows again',
    file: `${MODEL}/bulk/import-bulk.ts`,
    in: 'importSource',
    find: 'if (isOutdated($$$)) return $RESULT',
    replace: '',
    about: 'bulk',
    seed: 33000717,
  },
  {
    law: 'a device takes another client for bulk data',
    file: `${MODEL}/bulk/load-bulk-data.ts`,
    in: 'loadBulkData',
    find: '$COUNT === MAX_RECOVERIES',
    replace: '$COUNT >= 0',
    about: 'bulk',
    seed: 35,
  },
]
