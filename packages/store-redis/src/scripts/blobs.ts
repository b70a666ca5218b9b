import { script } from './script.js'

/** A blob is cut into values of so many bytes: one of Redis has 512 MiB at most, and smaller ones are freed more evenly. */
export const CHUNK = 8 * 1024 * 1024

const facts = `
local function factsOf()
  local list = call('HMGET', K.facts, 'size', 'received', 'complete', 'indexed')
  return list[1] and { tonumber(list[1]), tonumber(list[2]), tonumber(list[3]), list[4] }
end
`

/** Adds bytes where the blob ends: those that still fit into the chunk that it ends in, and the rest to the next. Whatever lies where it begins a chunk is not its own. */
export const appendBytesScript = script({
  keys: ['facts', 'chunk', 'next'],
  given: ['size', 'offset', 'bytes', 'more'],
  uses: [facts],
  body: `
local blob, length = factsOf(), #bytes + #more
if not blob and tonumber(offset) == 0 and length <= tonumber(size) then blob = { tonumber(size), 0, 0, false } end
if not blob then return false end
local goesOn = blob[3] == 0 and blob[1] == tonumber(size) and blob[2] == tonumber(offset)
if not goesOn or blob[2] + length > blob[1] then return blob end
if offset % ${CHUNK} == 0 then call('UNLINK', K.chunk) end
if #bytes > 0 then call('APPEND', K.chunk, bytes) end
if #more > 0 then call('SET', K.next, more) end
call('HSET', K.facts, 'size', size, 'received', blob[2] + length, 'complete', 0, 'touched', now)
return factsOf()`,
})

export const findBlobScript = script({ keys: ['facts'], uses: [facts], body: 'return factsOf()' })

export const completeBlobScript = script({
  keys: ['facts'],
  uses: [facts],
  body: `
local blob = factsOf()
if not blob or blob[2] < blob[1] then return 0 end
call('HSET', K.facts, 'complete', 1)
return 1`,
})

export const touchBlobScript = script({
  keys: ['facts'],
  body: `
if call('EXISTS', K.facts) == 0 then return 0 end
call('HSET', K.facts, 'touched', now)
return 1`,
})

/** The blob goes with its chunks, the keys behind its own. `stale`: it has another size than the one that they were named for; nothing was done. */
export const removeBlobScript = script({
  keys: ['facts'],
  given: ['untouchedSince', 'size'],
  body: `
local list = call('HMGET', K.facts, 'touched', 'size')
if not list[1] or (untouchedSince ~= '' and tonumber(list[1]) > tonumber(untouchedSince)) then return false end
if list[2] ~= size then return 'stale' end
for _, key in ipairs(KEYS) do call('UNLINK', key) end
return 'gone'`,
})

export const noteBlobIndexedScript = script({
  keys: ['facts'],
  body: "if call('EXISTS', K.facts) == 1 then call('HSET', K.facts, 'indexed', 1) end",
})
