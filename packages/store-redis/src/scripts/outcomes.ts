import { ERROR_CODES } from '@godwit/protocol'

/** Outcomes, numbered per client in order of decision; the Lua version of `outcome.ts` in store/history. */
export const outcomes = `
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

-- Sets an entry's outcome; every status except in_doubt decides it. Returns the outcome in full, as the device receives it.
local function decide(entry, decision)
  local before, after = decision.before, present(decision.target)
  local link = decision.link and decision.link ~= entry.object and decision.link or false
  local version = after[1] == 'never' and numberOf('version') or after[2]
  local attributes = after[1] == 'live' and not isOnDevice(entry, before, after) and after[3]
  local removed = decision.status == 'applied' and entry.operation == 'update' and after[1] ~= 'live' and 1
  local outcome = { 0, decision.status, link, link and entry.object, version, attributes, decision.failure or false, removed, decision.overwrote or false }
  if decision.moved then outcome[8], outcome[10] = 1, decision.moved end
  stop(entry)
  if decision.status == 'in_doubt' then
    entry.state = 'in_doubt'
  else
    entry.state = 'decided'
    leave(entry)
  end
  giveOutcome(entry, outcome)
  local told = { unpack(entry.outcome) }
  if entry.contentless then entry.outcome[6], entry.outcome[9] = false, false end
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

-- Only a query shows whether the backend applied the change.
local function doubt(entry, failure)
  requestQuery()
  decideByCode(entry, 'in_doubt', failure)
end

-- Deletes the contents of acknowledged entries; numbers, keys and fields that decide about owners remain. Ignores a number above the last outcome;
-- returns true when done, since one step is limited.
local MAX_ACKNOWLEDGED = 150
local function acknowledge(client, through)
  local counts = clientOf(client)
  if through > counts.outcomes or through <= counts.acknowledged then return true end
  local last, bytes = math.min(through, counts.acknowledged + MAX_ACKNOWLEDGED), 0
  for number = counts.acknowledged + 1, last do
    if bytes > MAX_BYTES then last = number - 1 break end
    local place = under(client) .. number
    local key, entry, size = getField(K.given, place), nil, 0
    if key then entry, size = entryOf(key) end
    bytes = bytes + size
    removeField(K.given, place)
    if entry and entry.state == 'decided' then
      entry.attributes, entry.was, entry.wasDigests, entry.changed, entry.first = false, false, false, false, false
      if entry.outcome then entry.outcome[6], entry.outcome[7], entry.outcome[9], entry.outcome[10] = false, false, false, nil end
      save(entry)
    end
  end
  counts.acknowledged = last
  saveClient(client, counts)
  return last == through
end
`
