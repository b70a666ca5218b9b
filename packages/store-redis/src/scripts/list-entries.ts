import { CLOCK_SLACK } from '@godwit/store'
import { entries } from './entries.js'
import { atOnce } from './hash-access.js'
import { script } from './script.js'

/** `outcomesAfter(client, after, limit)` returns the client's last outcome number, where this step stopped (false: at the end), and the outcomes. */
export const outcomesAfterLua = `
local function outcomesAfter(client, after, limit)
  local MAX_ENTRIES = 150
  local counts, answer, bytes = clientOf(client), {}, 0
  local from = math.max(after, counts.acknowledged)
  local last, places = math.min(counts.outcomes, from + MAX_ENTRIES), {}
  for number = from + 1, last do places[#places + 1] = under(client) .. number end
  local keys = #places > 0 and getFields(K.given, places)
  for number = from + 1, counts.outcomes do
    if number > last or bytes > MAX_BYTES then return { counts.outcomes, number - 1, answer } end
    if #answer >= limit then break end
    local key, entry, size = keys[number - from], nil, 0
    if key then entry, size = entryOf(key) end
    bytes = bytes + size
    if entry and entry.outcome then answer[#answer + 1] = { entry.number, entry.outcome } end
  end
  return { counts.outcomes, false, answer }
end
`

export const outcomesScript = script({
  keys: ['clients', 'given', 'mutations'],
  given: ['client', 'after', 'limit'],
  uses: [atOnce, entries, outcomesAfterLua],
  body: 'return outcomesAfter(client, tonumber(after), tonumber(limit))',
})

/** Reads entries from the first key on, as many as one step may. Returns how many keys it read, and the entries. */
export const entriesScript = script({
  keys: ['mutations', 'undecided'],
  uses: [atOnce, entries],
  body: `
local answer, bytes = {}, 0
for at = REST, #ARGV do
  if bytes > MAX_BYTES then return { at - REST, answer } end
  local entry, size = entryOf(ARGV[at])
  bytes = bytes + size
  if entry then answer[#answer + 1] = listOf(entry) end
end
return { #ARGV - REST + 1, answer }`,
})

/**
 * Lists undecided entries of one state after a sequence number; with `due` only queued ones that are due, and only started ones whose lease expired.
 * Reads a limited number; returns where it stopped, the total of undecided entries, those found, and their bytes.
 */
export const undecidedScript = script({
  keys: ['mutations', 'undecided'],
  given: ['state', 'due', 'hasClient', 'client', 'after', 'limit'],
  uses: [atOnce, entries],
  body: `
local MAX_ENTRIES = 150
local function isWanted(entry)
  if entry.state ~= state or (hasClient == '1' and entry.client ~= client) then return false end
  local isPast = (entry.waitsSince or 0) > now + ${CLOCK_SLACK}
  if state == 'started' then return isPast or entry.leasedUntil <= now end
  return isPast or due ~= '1' or (entry.retryAt or 0) <= now
end

local bytes, foundBytes, isCut = 0, 0, false
local keys, found, reached = call('ZRANGEBYSCORE', K.undecided, '(' .. after, '+inf', 'LIMIT', 0, MAX_ENTRIES), {}, false
for _, key in ipairs(keys) do
  isCut = bytes > MAX_BYTES
  if isCut or #found >= tonumber(limit) then break end
  local entry, size = entryOf(key)
  bytes, reached = bytes + size, entry.sequence
  if isWanted(entry) then
    found[#found + 1] = listOf(entry)
    foundBytes = foundBytes + size
  end
end
return { (isCut or #keys == MAX_ENTRIES) and reached, call('ZCARD', K.undecided), found, foundBytes }`,
})

/** How many undecided mutations one step counts. */
export const COUNTED_AT_ONCE = 150

/** Counts undecided entries by state, from a rank on. Returns how many it read, and how many are queued, started and in doubt. */
export const countUndecidedScript = script({
  keys: ['mutations', 'undecided'],
  given: ['from'],
  uses: [atOnce, entries],
  body: `
local counts = { queued = 0, started = 0, in_doubt = 0 }
local keys = call('ZRANGE', K.undecided, from, from + ${COUNTED_AT_ONCE - 1})
for _, key in ipairs(keys) do
  local entry = entryOf(key)
  if entry and counts[entry.state] then counts[entry.state] = counts[entry.state] + 1 end
end
return { #keys, counts.queued, counts.started, counts.in_doubt }`,
})

/** Records that the collection is not in the undecided index. Returns 0, with nothing done, if it has undecided entries. */
export const unlistScript = script({
  keys: ['head', 'undecided'],
  body: `
if call('ZCARD', K.undecided) > 0 then return 0 end
call('HDEL', K.head, 'listed')
return 1`,
})
