import { ERROR_CODES } from '@godwit/protocol'
import { json } from './json.js'
import { atTheEnd } from './kept.js'
import { keptHead, OBJECT_KEYS } from './objects.js'
import { order } from './order.js'
import { passing } from './passing.js'
import { type Script, script } from './script.js'

export const JOURNAL_KEYS = [
  ...OBJECT_KEYS,
  'clients',
  'places',
  'mutations',
  'undecided',
  'byObject',
  'byOwner',
  'creates',
  'given',
  'passing',
] as const

/**
 * A mutation is packed as a list of these, false for what it has not. `first` is the object as it stood at the first start, and the
 * head's version then; `outcome` its number, status, link, object, version, attributes, error, removed. What scripts only carry is JSON text.
 */
export const entries = `
-- A step ends after so many bytes of entries, whatever is left to do.
local MOST_BYTES = 65536

local FIELDS = { 'key', 'client', 'user', 'sequence', 'contentless', 'state', 'attempts', 'fence', 'leasedUntil', 'retryAt', 'number',
  'operation', 'object', 'owners', 'seen', 'attributes', 'was', 'changed', 'rest', 'first', 'outcome' }

local function listOf(entry)
  local list = {}
  for place, name in ipairs(FIELDS) do list[place] = entry[name] or false end
  return list
end

local function entryIn(packed)
  local list, entry = cmsgpack.unpack(packed), {}
  for place, name in ipairs(FIELDS) do entry[name] = list[place] end
  return entry
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
export const keeping = `
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

/** Creates by their temporary ids, and what they mean for those who name them: as `owners.ts` of the history says it. */
export const creates = `
local function createsOf(temporary)
  local packed = getField(K.creates, temporary)
  return packed and cmsgpack.unpack(packed) or {}
end

local function saveCreates(temporary, keys)
  setField(K.creates, temporary, #keys > 0 and cmsgpack.pack(keys))
end

-- Two devices may have made the same temporary id: the later create counts.
local function createOf(temporary)
  local keys = createsOf(temporary)
  return keys[1] and entryOf(keys[#keys])
end

local function ownerStanding(create)
  if not create then return 'failed' end
  if create.state ~= 'decided' then return 'undecided' end
  return create.outcome and create.outcome[2] == 'applied' and 'decided' or 'failed'
end
`

/** As `rewrite.ts` of the history says it. */
const rewriting = String.raw`
local ESCAPES = { ['"'] = '\\"', ['\\'] = '\\\\', ['\b'] = '\\b', ['\f'] = '\\f', ['\n'] = '\\n', ['\r'] = '\\r', ['\t'] = '\\t' }
local function quoted(text)
  local inner = string.gsub(text, '[%z\1-\31"\\]', function(unit)
    return ESCAPES[unit] or string.format('\\u%04x', byte(unit))
  end)
  return '"' .. inner .. '"'
end

local function relinked(text, links)
  if not text then return false end
  local names, values = members(text)
  for _, name in ipairs(names) do values[name] = links[values[name]] or values[name] end
  return objectText(names, values)
end

-- Writes real ids over temporary ones.
local function rewrite(entry, links)
  local texts, left = {}, {}
  for temporary, real in pairs(links) do texts[quoted(temporary)] = quoted(real) end
  for _, owner in ipairs(entry.owners or {}) do
    if not links[owner] then left[#left + 1] = owner end
  end
  entry.object = links[entry.object] or entry.object
  entry.attributes, entry.was = relinked(entry.attributes, texts), relinked(entry.was, texts)
  entry.owners = #left > 0 and left
end
`

/** Outcomes, numbered per client in order of decision: as `outcome.ts` of the history says it. */
const outcomes = `
local function takeOutcome(entry)
  if entry.outcome then removeField(K.given, under(entry.client) .. entry.outcome[1]) end
  entry.outcome = false
end

local function giveOutcome(entry, outcome)
  takeOutcome(entry)
  local counts = clientOf(entry.client)
  counts.outcomes = counts.outcomes + 1
  saveClient(entry.client, counts)
  setField(K.given, under(entry.client) .. counts.outcomes, entry.key)
  outcome[1] = counts.outcomes
  entry.outcome = outcome
end

local function isOnDevice(entry, before, after)
  if entry.operation ~= 'update' or before[1] ~= 'live' or entry.seen ~= before[2] then return false end
  return same(merged(before[3], entry.attributes or '{}'), after[3])
end

-- Gives an entry its outcome; any but in_doubt decides it. Answers the outcome with all that the device is told.
local function decide(entry, decision)
  local before, after = decision.before, present(decision.target)
  local link = decision.link and decision.link ~= entry.object and decision.link or false
  local version = after[1] == 'never' and numberOf('version') or after[2]
  local attributes = after[1] == 'live' and not isOnDevice(entry, before, after) and after[3]
  local removed = decision.status == 'applied' and entry.operation == 'update' and after[1] ~= 'live' and 1
  local outcome = { 0, decision.status, link, link and entry.object, version, attributes, decision.failure or false, removed }
  stop(entry)
  if decision.status == 'in_doubt' then
    entry.state = 'in_doubt'
  else
    entry.state = 'decided'
    leave(entry)
  end
  giveOutcome(entry, outcome)
  local told = { unpack(entry.outcome) }
  if entry.contentless then entry.outcome[6] = false end
  save(entry)
  return told
end

local FAILURES = {
  in_doubt = [==[${JSON.stringify({ code: 'in_doubt', message: ERROR_CODES.in_doubt })}]==],
  depends_on_refused = [==[${JSON.stringify({ code: 'depends_on_refused', message: ERROR_CODES.depends_on_refused })}]==],
}
local function decideByCode(entry, code, failure)
  decide(entry, { status = code, failure = failure or FAILURES[code], target = entry.object, before = present(entry.object) })
end

-- What may have been done shows only in the backend: a query is asked for.
local function doubt(entry, failure)
  askNow()
  decideByCode(entry, 'in_doubt', failure)
end

-- Contents go; numbers, keys and what decides about owners stay. A number above the last outcome is ignored.
-- So many in one step: true, if that was all.
local MOST_ACKNOWLEDGED = 150
local function acknowledge(client, through)
  local counts = clientOf(client)
  if through > counts.outcomes or through <= counts.acknowledged then return true end
  local last, bytes = math.min(through, counts.acknowledged + MOST_ACKNOWLEDGED), 0
  for number = counts.acknowledged + 1, last do
    if bytes > MOST_BYTES then last = number - 1 break end
    local place = under(client) .. number
    local key, entry, size = getField(K.given, place), nil, 0
    if key then entry, size = entryOf(key) end
    bytes = bytes + size
    removeField(K.given, place)
    if entry and entry.state == 'decided' then
      entry.attributes, entry.was, entry.changed, entry.first = false, false, false, false
      if entry.outcome then entry.outcome[6], entry.outcome[7] = false, false end
      save(entry)
    end
  end
  counts.acknowledged = last
  saveClient(client, counts)
  return last == through
end
`

const journal = [json, atTheEnd, keptHead, entries, keeping, order, creates, rewriting, outcomes, passing].join('\n')

interface JournalScript {
  readonly given?: readonly string[]
  /** Beside the journal's own fragments. */
  readonly uses?: readonly string[]
  /** What it answers is answered once all is written. */
  readonly body: string
}

/** A script that may need all of the journal. */
export const journalScript = ({ given = [], uses = [], body }: JournalScript): Script<(typeof JOURNAL_KEYS)[number]> =>
  script({ keys: JOURNAL_KEYS, given, uses: [journal, ...uses], body: thenWritten(body) })

/** Does it, and writes what is known by then. */
export const thenWritten = (body: string): string => `
local function act()
${body.trim()}
end
local answer = act()
writeAll()
return answer`
