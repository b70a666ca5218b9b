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
  ],
]

/**
 * A mutation is packed as a list of these, false for what it has not; what scripts only carry is JSON text. `first` is the object and the head's version at
 * the first start; `outcome` its number, status, link, object, version, attributes, error, removed.
 */
export const entries = `
-- A step ends after this many bytes of entries, whatever is left to do.
local MAX_BYTES = 65536

local function listOf(entry)
  return { ${FIELDS.map(name => `entry.${name} or false`).join(', ')} }
end

local function entryIn(packed)
  local list = cmsgpack.unpack(packed)
  return { ${FIELDS.map((name, place) => `${name} = list[${place + 1}]`).join(', ')} }
end

-- Entries and clients are taken apart once in a script.
local entriesKnown, clientsKnown = {}, {}

-- With the bytes that had to be taken apart.
local function entryOf(key)
  local known = entriesKnown[key]
  if known ~= nil then return known or nil, 0 end
  local packed = getField(K.mutations, key)
  entriesKnown[key] = packed and entryIn(packed)
  return entriesKnown[key] or nil, packed and #packed or 0
end

-- Where something stands under a name: the name's length in front keeps names apart whatever they contain.
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

/** And packed again at its end. */
export const entryPackingLua = `
local entriesSaved, clientsSaved = {}, {}
local function save(entry) entriesKnown[entry.key], entriesSaved[entry.key] = entry, entry end

local function forget(entry)
  entriesKnown[entry.key], entriesSaved[entry.key] = false, nil
  removeField(K.mutations, entry.key)
end

local function saveClient(client, counts) clientsSaved[client] = counts end

-- All that is known and not written yet.
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
