import { READ_BYTES } from '@godwit/store/history'
import { blocks, MAX_ROWS } from './changes.js'
import { script } from './script.js'

/** Version and text of an object. Text is false for a tombstone; returns false if the object never existed. */
export const lookScript = script({
  keys: ['live', 'tombstones', 'objects'],
  given: ['id'],
  body: `
local version = call('ZSCORE', K.live, id)
if version then return { tonumber(version), call('HGET', K.objects, id) } end
local removed = call('ZSCORE', K.tombstones, id)
return removed and { tonumber(removed), false }`,
})

/** Id, version and text of a limited number of live objects after an id, and whether there may be more. */
export const listScript = script({
  keys: ['ids', 'live', 'objects'],
  given: ['after', 'limit'],
  uses: [blocks],
  body: `
local most = math.min(tonumber(limit), ${MAX_ROWS})
local ids = call('ZRANGEBYLEX', K.ids, after, '+', 'LIMIT', 0, most)
local answer, bytes, from, block, largest = {}, 0, 1, 1, 0
while from <= #ids do
  local some = { unpack(ids, from, math.min(from + block - 1, #ids)) }
  local versions, texts = call('ZMSCORE', K.live, unpack(some)), call('HMGET', K.objects, unpack(some))
  for index, id in ipairs(some) do
    bytes, largest = bytes + #id + #texts[index], math.max(largest, #texts[index])
    if bytes > ${READ_BYTES} and #answer > 0 then return { answer, 1 } end
    answer[#answer + 1], answer[#answer + 2], answer[#answer + 3] = id, tonumber(versions[index]), texts[index]
  end
  from, block = from + #some, nextBlock(block, largest)
end
return { answer, #ids == most and 1 or 0 }`,
})
