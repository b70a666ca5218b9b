import { json } from './json.js'
import { script } from './script.js'

const KEYS = ['contents', 'names'] as const

/** Content begins with its kind: `t` for text, `m` for a map of objects as JSON. */
export const setDocumentScript = script({
  keys: KEYS,
  given: ['name', 'content'],
  body: `
call('HSET', K.contents, name, content)
call('ZADD', K.names, 0, name)`,
})

/** Bytes of JSON that one step may parse. */
const MAX_MERGED = 32_768

/**
 * Appends text, or merges objects attribute by attribute. Returns `differs` for content of the other kind, or `large` if one step would parse too
 * much JSON; nothing was done then.
 */
export const appendDocumentScript = script({
  keys: KEYS,
  given: ['name', 'content'],
  uses: [json],
  body: `
local present = call('HGET', K.contents, name)
if present and byte(present) ~= byte(content) then return 'differs' end
local joined = present and present .. sub(content, 2)
if byte(content) == byte('m') then
  if #content + #(present or '') > ${MAX_MERGED} then return 'large' end
  local ids, texts = members(sub(present or 'm{}', 2))
  local newIds, changes = members(sub(content, 2))
  local parts = {}
  for _, id in ipairs(newIds) do
    if not texts[id] then ids[#ids + 1] = id end
    texts[id] = merged(texts[id] or '{}', changes[id])
  end
  for index, id in ipairs(ids) do parts[index] = id .. ':' .. texts[id] end
  joined = 'm{' .. table.concat(parts, ',') .. '}'
end
call('HSET', K.contents, name, joined or content)
call('ZADD', K.names, 0, name)
return 'appended'`,
})

/** Replaces the content if it is the one seen (empty for none). Otherwise returns `stale`, with nothing done. */
export const exchangeDocumentScript = script({
  keys: KEYS,
  given: ['name', 'seen', 'content'],
  body: `
if (call('HGET', K.contents, name) or '') ~= seen then return 'stale' end
call('HSET', K.contents, name, content)
call('ZADD', K.names, 0, name)
return 'appended'`,
})

export const deleteDocumentScript = script({
  keys: KEYS,
  given: ['name'],
  body: `
call('ZREM', K.names, name)
return call('HDEL', K.contents, name)`,
})
