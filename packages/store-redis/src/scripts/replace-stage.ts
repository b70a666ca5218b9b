import { json } from './json.js'
import { script } from './script.js'

/** Staged keys of a query that was given up go by themselves; one that goes on moves their end. In milliseconds. */
const keep = `
for _, key in ipairs({ K.staged, K.changes, K.removals }) do call('PEXPIRE', key, 86400000) end
`

/**
 * Compares id, lanes and text of each object that streamed in with what is there, and stages what differs. Answers the head's version,
 * and of each object: `new` or `other` (staged), `equal`, or the present text, if that says the same in another order.
 */
export const stageScript = script({
  keys: ['head', 'objects', 'staged', 'changes', 'removals'],
  uses: [json],
  body: `
local ids, values, staged, back, answer = {}, {}, {}, {}, {}
for at = REST, #ARGV, 3 do ids[#ids + 1] = ARGV[at] end
local presents = call('HMGET', K.objects, unpack(ids))
for index, id in ipairs(ids) do
  local lanes, text, present = ARGV[REST + 3 * index - 2], ARGV[REST + 3 * index - 1], presents[index]
  if present and same(present, text) then
    back[#back + 1] = id
    answer[index] = present == text and 'equal' or present
  else
    staged[#staged + 1] = id
    values[#values + 1], values[#values + 2] = id, lanes .. ' ' .. text
    answer[index] = present and 'other' or 'new'
  end
end
if #back > 0 then call('HDEL', K.staged, unpack(back)) end
if #staged > 0 then
  call('HSET', K.staged, unpack(values))
  call('RPUSH', K.changes, unpack(staged))
end
${keep}
return { tonumber(call('HGET', K.head, 'version') or 0), answer }`,
})

/** Stages removals: each the lanes of an id, then the id. */
export const stageRemovalsScript = script({
  keys: ['staged', 'changes', 'removals'],
  body: `
call('RPUSH', K.removals, unpack(ARGV, REST))
${keep}`,
})
