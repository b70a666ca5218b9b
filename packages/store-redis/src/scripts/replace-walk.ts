import { MAX_BYTES, ranges } from './changes.js'
import { head } from './objects.js'
import { script } from './script.js'

/** Live objects after an id, with the head's version and count. The text comes along of those that changed after `since`: up to a number of bytes, and at the end whether there may be more. */
export const walkScript = script({
  keys: ['head', 'ids', 'live', 'objects'],
  given: ['after', 'limit', 'since'],
  uses: [head],
  body: `
local ids = call('ZRANGEBYLEX', K.ids, after == '' and '-' or '(' .. after, '+', 'LIMIT', 0, limit)
local versions, rows, bytes = #ids > 0 and call('ZMSCORE', K.live, unpack(ids)) or {}, {}, 0
local more = #ids == tonumber(limit) and 1 or 0
for index, id in ipairs(ids) do
  if bytes > ${MAX_BYTES} then more = 1 break end
  local isNewer = tonumber(versions[index]) > tonumber(since)
  local text = isNewer and call('HGET', K.objects, id)
  rows[2 * index - 1], rows[2 * index] = id, text
  bytes = bytes + (text and #text or 0)
end
return { numberOf('version'), numberOf('count'), rows, more }`,
})

/** Tombstones after a place. */
export const walkTombstonesScript = script({
  keys: ['tombstones'],
  given: ['version', 'id', 'limit'],
  uses: [ranges],
  body: `
local rows = {}
for index, row in ipairs(rowsAfter(K.tombstones, tonumber(version), id, tonumber(limit))) do
  rows[2 * index - 1], rows[2 * index] = row[1], row[2]
end
return rows`,
})
