import { script } from './script.js'

/** Version and text of one object; text is nothing for a tombstone, all is nothing for one never heard of. */
export const lookScript = script({
  keys: ['live', 'tombstones', 'objects'],
  given: ['id'],
  body: `
local version = call('ZSCORE', K.live, id)
if version then return { tonumber(version), call('HGET', K.objects, id) } end
local removed = call('ZSCORE', K.tombstones, id)
return removed and { tonumber(removed), false }`,
})

/** Id, version and text of live objects after an id. */
export const listScript = script({
  keys: ['ids', 'live', 'objects'],
  given: ['after', 'limit'],
  body: `
local ids = call('ZRANGEBYLEX', K.ids, after, '+', 'LIMIT', 0, limit)
local answer = {}
for from = 1, #ids, 1000 do
  local some = { unpack(ids, from, math.min(from + 999, #ids)) }
  local versions, texts = call('ZMSCORE', K.live, unpack(some)), call('HMGET', K.objects, unpack(some))
  for index, id in ipairs(some) do
    answer[#answer + 1], answer[#answer + 2], answer[#answer + 3] = id, tonumber(versions[index]), texts[index]
  end
end
return answer`,
})
