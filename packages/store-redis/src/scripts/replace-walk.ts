import { ranges } from './changes.js'
import { head } from './objects.js'
import { script } from './script.js'

/** Live objects after an id, with the head's version and count. The text comes along of those that changed after `since`. */
export const walkScript = script({
  keys: ['head', 'ids', 'live', 'objects'],
  given: ['after', 'limit', 'since'],
  uses: [head],
  body: `
local ids = call('ZRANGEBYLEX', K.ids, after == '' and '-' or '(' .. after, '+', 'LIMIT', 0, limit)
local versions, rows = #ids > 0 and call('ZMSCORE', K.live, unpack(ids)) or {}, {}
for index, id in ipairs(ids) do
  local isNewer = tonumber(versions[index]) > tonumber(since)
  rows[2 * index - 1] = id
  rows[2 * index] = isNewer and call('HGET', K.objects, id)
end
return { numberOf('version'), numberOf('count'), rows }`,
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
