import { script } from './script.js'

/** Bytes of each chunk of a blob. A Redis value has at most 512 MiB, and smaller ones are freed more evenly. */
export const CHUNK = 8 * 1024 * 1024

const factsLua = `
local function blobFacts()
  local list = call('HMGET', K.facts, 'size', 'received', 'complete', 'indexed', 'instance', 'account')
  return list[1] and { tonumber(list[1]), tonumber(list[2]), tonumber(list[3]), list[4], list[5] or '', list[6] }
end
`

/** Appends bytes at the end of a blob, to its last chunk and the next. At the start of a chunk it deletes leftovers of another blob. */
export const appendBytesScript = script({
  keys: ['facts', 'chunk', 'next'],
  given: ['size', 'offset', 'bytes', 'more', 'instance', 'account', 'mayBegin'],
  uses: [factsLua],
  body: `
local blob, length = blobFacts(), #bytes + #more
if not blob and mayBegin ~= '' and tonumber(offset) == 0 and length <= tonumber(size) then
  blob = { tonumber(size), 0, 0, false, instance }
  if account ~= '' then call('HSET', K.facts, 'account', string.sub(account, 2)) end
end
if not blob then return false end
local goesOn = blob[3] == 0 and blob[1] == tonumber(size) and blob[2] == tonumber(offset)
if not goesOn or blob[2] + length > blob[1] then return blob end
if offset % ${CHUNK} == 0 then call('UNLINK', K.chunk) end
if #bytes > 0 then call('APPEND', K.chunk, bytes) end
if #more > 0 then call('SET', K.next, more) end
call('HSET', K.facts, 'size', size, 'received', blob[2] + length, 'complete', 0, 'touched', now, 'instance', blob[5])
return blobFacts()`,
})

/** Returns the fields of a blob, or nothing if it does not exist. */
export const findBlobScript = script({ keys: ['facts'], uses: [factsLua], body: 'return blobFacts()' })

/** Marks a blob as complete. Returns 0 if bytes are missing or it is another instance. */
export const completeBlobScript = script({
  keys: ['facts'],
  given: ['instance'],
  uses: [factsLua],
  body: `
local blob = blobFacts()
if not blob or blob[2] < blob[1] or (instance ~= 'any' and blob[5] ~= instance) then return 0 end
call('HSET', K.facts, 'complete', 1)
return 1`,
})

/** Sets the time of a blob's last use to now. Returns 0 if it does not exist. */
export const touchBlobScript = script({
  keys: ['facts'],
  body: `
if call('EXISTS', K.facts) == 0 then return 0 end
call('HSET', K.facts, 'touched', now)
return 1`,
})

/** Adds a hold on a complete blob. Returns 0 if it is not complete. */
export const holdBlobScript = script({
  keys: ['facts', 'holders'],
  given: ['holder'],
  body: `
if call('HGET', K.facts, 'complete') ~= '1' then return 0 end
call('HSET', K.holders, holder, now)
call('HSET', K.facts, 'touched', now)
return 1`,
})

/** Returns the holders, each followed by the time of its hold. */
export const holdersScript = script({ keys: ['holders'], body: "return call('HGETALL', K.holders)" })

/** Ends a hold, and sets the time of the blob's last use to now. */
export const releaseBlobScript = script({
  keys: ['facts', 'holders'],
  given: ['holder'],
  body: "if call('HDEL', K.holders, holder) == 1 then call('HSET', K.facts, 'touched', now) end",
})

/**
 * Deletes a blob with its holders and its chunks, which are passed as further keys. Returns `stale`, with nothing done, if its size is not the one
 * the chunks were named for.
 */
export const removeBlobScript = script({
  keys: ['facts', 'holders'],
  given: ['untouchedSince', 'size', 'instance'],
  body: `
local list = call('HMGET', K.facts, 'touched', 'size', 'instance', 'account')
if not list[1] or (instance ~= 'any' and (list[3] or '') ~= instance) then return false end
if untouchedSince ~= '' then
  if tonumber(list[1]) > tonumber(untouchedSince) or call('EXISTS', K.holders) == 1 then return false end
end
if list[2] ~= size then return 'stale' end
for _, key in ipairs(KEYS) do call('UNLINK', key) end
return { list[3] or '', list[4] }`,
})

/** Records in a blob that it is indexed. */
export const recordBlobIndexedScript = script({
  keys: ['facts'],
  body: "if call('EXISTS', K.facts) == 1 then call('HSET', K.facts, 'indexed', 1) end",
})

/**
 * Sets the charged account, prefixed with a letter as a login may be empty; empty text means none. Returns the previous account, or `gone` if it is
 * another instance.
 */
export const chargeBlobScript = script({
  keys: ['facts'],
  given: ['instance', 'account'],
  body: `
local list = call('HMGET', K.facts, 'size', 'instance', 'account')
if not list[1] or (list[2] or '') ~= instance then return 'gone' end
if account == '' then call('HDEL', K.facts, 'account') else call('HSET', K.facts, 'account', string.sub(account, 2)) end
return { list[3] }`,
})
