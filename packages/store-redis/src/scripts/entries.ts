const FIELDS = [
  ...['key', 'client', 'user', 'sequence', 'contentless', 'state', 'attempts', 'fence', 'leasedUntil', 'retryAt'],
  ...[
    'number',
    'operation',
    'object',
    'owners',
    'seen',
    'attributes',
    'was',
    'changed',
    'rest',
    'first',
    'outcome',
    'waitsSince',
    'wasDigests',
  ],
]

/**
 * An entry is packed as a list of these fields, false for missing ones; fields that scripts do not inspect are JSON text. `first` is the object and
 * the head's version at the first start; `outcome` is number, status, link, object, version, attributes, error, removed, overwrote, moved.
 */
export const entries = `
-- A step ends after this many bytes of entries, even if work is left.
local MAX_BYTES = 65536

local function listOf(entry)
  return { ${FIELDS.map(name => `entry.${name} or false`).join(', ')} }
end

local function entryIn(packed)
  local list = cmsgpack.unpack(packed)
  return { ${FIELDS.map((name, place) => `${name} = list[${place + 1}]`).join(', ')} }
end

-- Each entry and client is unpacked once per script.
local entriesKnown, clientsKnown = {}, {}

-- Also returns the number of bytes unpacked.
local function entryOf(key)
  local known = entriesKnown[key]
  if known ~= nil then return known or nil, 0 end
  local packed = getField(K.mutations, key)
  entriesKnown[key] = packed and entryIn(packed)
  return entriesKnown[key] or nil, packed and #packed or 0
end

-- The prefix of names under another name; the length in front keeps names unambiguous.
local function under(name) return #name .. ':' .. name .. ':' end

local function clientOf(client)
  if not clientsKnown[client] then
    local packed = getField(K.clients, client)
    local list = packed and cmsgpack.unpack(packed) or { 0, 0, 0 }
    clientsKnown[client] = { highest = list[1], outcomes = list[2], acknowledged = list[3] }
  end
  return clientsKnown[client]
end
`

/** Packs changed entries and clients at the end of a script. */
export const entryPackingLua = `
local entriesSaved, clientsSaved = {}, {}
local function save(entry) entriesKnown[entry.key], entriesSaved[entry.key] = entry, entry end

local function forget(entry)
  entriesKnown[entry.key], entriesSaved[entry.key] = false, nil
  removeField(K.mutations, entry.key)
end

local function saveClient(client, counts) clientsSaved[client] = counts end

-- Writes all pending changes.
local function writeAll()
  for key, entry in pairs(entriesSaved) do setField(K.mutations, key, cmsgpack.pack(listOf(entry))) end
  for client, counts in pairs(clientsSaved) do
    setField(K.clients, client, cmsgpack.pack({ counts.highest, counts.outcomes, counts.acknowledged }))
  end
  entriesSaved, clientsSaved = {}, {}
  writeDown()
end

local function present(id)
  local version = getScore(K.live, id)
  if version then return { 'live', version, getField(K.objects, id) } end
  local removed = getScore(K.tombstones, id)
  return removed and { 'gone', removed, false } or { 'never', 0, false }
end
`
