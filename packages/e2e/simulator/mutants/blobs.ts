import { MODEL, type Mutant, SERVER } from './mutant.js'

/** Blobs, on devices and on the server. */
export const blobsMutants: readonly Mutant[] = [
  {
    law: 'a source is handed the bytes before the change that names them',
    file: `${SERVER}/device/push/call-backend.ts`,
    in: 'sendBlobs',
    find: `{
      $$$BEFORE
      const $REPLACED = await storeBlobs($$$ARGUMENTS)
      if ($TASK.operation === 'create') return $CREATE
      $$$AFTER
    }`,
    replace: `{
      $$$BEFORE
      const $REPLACED = $TASK.operation === 'create' ? await storeBlobs($$$ARGUMENTS) : {}
      if ($TASK.operation === 'create') return $CREATE
      $$$AFTER
    }`,
    about: 'blobs',
    seed: 2,
  },
  {
    law: 'a device keeps the files that undecided changes name',
    file: `${MODEL}/blobs/sweep-blobs.ts`,
    in: 'namedBlobs',
    find: 'for (const $ATTRIBUTES of undecidedAttributes($MODEL)) $ADD',
    replace: '',
    about: 'blobs',
    seed: 13,
  },
  {
    law: 'a device keeps the files that its rows name',
    file: `${MODEL}/blobs/sweep-blobs.ts`,
    in: 'namedBlobs',
    find: 'for (const $BLOB of $MODEL.blobs) $ADD($MODEL.rows.valuesOf($NAME))',
    replace: '',
    about: 'blobs',
    seed: 2,
  },
  {
    law: 'a decided change holds its blobs no longer',
    file: `${SERVER}/device/blobs/forget-blobs.ts`,
    in: 'endHolds',
    find: "$STATE === 'decided' || ($STATE === undefined && $AT <= $SINCE)",
    replace: '$STATE === undefined && $AT <= $SINCE',
    about: 'blobs',
    seed: 2,
  },
  {
    law: 'the sweep spares the blobs that objects name',
    file: `${SERVER}/device/blobs/forget-blobs.ts`,
    in: 'forgetUnnamed',
    find: '$NAMED.has($NAME)',
    replace: "$NAMED.has('')",
    about: 'blobs',
    seed: 2,
  },
  {
    law: 'nothing is accepted before the bytes that it names are here',
    file: `${SERVER}/device/blobs/hold-blobs.ts`,
    in: 'holdBlobs',
    find: '$MISSING.size === 0',
    replace: '$MISSING.size >= 0',
    about: 'blobs',
    seed: 2,
  },
  {
    law: 'no source is called without the bytes of what a change names',
    file: `${SERVER}/device/push/call-backend.ts`,
    in: 'sendBlobs',
    find: 'if ($LOST !== undefined) return blobsLostVerdict($$$)',
    replace: '',
    about: 'blobs',
    seed: 7,
  },
  {
    law: 'a blob that the server did not have is asked for again',
    file: `${MODEL}/blobs/fetch-blobs.ts`,
    in: 'fetchBlobs',
    find: '$WANTED.putOff($MODEL, $BLOB, $NOW)',
    replace: '$WANTED.remove($MODEL, $BLOB)',
    also: [
      {
        file: `${MODEL}/blobs/fetch-blobs.ts`,
        in: 'fetchBlobs',
        find: 'if (isSweepDue($CONTEXT)) requestVanished($$$)',
        replace: '',
      },
    ],
    about: 'blobs',
    seed: 26,
  },
  {
    law: 'a device says which blobs it has not got',
    file: `${MODEL}/blobs/upload-blobs.ts`,
    in: 'recordMissing',
    find: 'if ($FILES?.size(fileOf($HASH)) === undefined) $UPLOADS.lost.add($HASH)',
    replace: '',
    about: 'blobs',
    seed: 7,
  },
  {
    law: 'a blob that is refused for good refuses its change alone',
    file: `${MODEL}/blobs/upload-blobs.ts`,
    in: 'uploadBlobs',
    find: '$ENTRY.key !== null',
    replace: "$ENTRY.key === ''",
    about: 'blobs',
    seed: 33,
  },
  {
    law: 'the blob of an accepted change is sent again to a server that lost it',
    file: `${MODEL}/blobs/upload-blobs.ts`,
    in: 'uploadBlobs',
    find: 'hashesIn($BLOBS, $ATTRIBUTES).some($HASH => $MISSING.has($HASH))',
    replace: 'hashesIn($BLOBS, $ATTRIBUTES).length < 0 && $MISSING.size > 0',
    about: 'blobs',
    seed: 311,
  },
  {
    law: 'an undecided photo is shown where its object became one with another',
    file: `${MODEL}/sync/apply-outcomes.ts`,
    in: 'keepOwn',
    find: '$PARTITION.blobs.own.remove($$$)',
    replace: 'continue',
    about: 'blobs',
    seed: 33000768,
  },
]
