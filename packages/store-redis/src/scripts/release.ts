import { whenPassedOn } from './decided-creates.js'
import { journalScript } from './journal.js'

/** Ends a start without an outcome: the entry is queued again, or in doubt. Returns the number of the requested query, 0 for none, -1 if it is refused. */
export const releaseScript = journalScript({
  given: ['key', 'fence', 'to', 'retryIn', 'failure'],
  body: `
${whenPassedOn}
local entry = entryOf(key)
if not entry or entry.state ~= 'started' or entry.fence ~= tonumber(fence) then return -1 end
stop(entry)
entry.state, entry.retryAt = 'queued', tonumber(retryIn) and now + tonumber(retryIn) or false
entry.waitsSince = now
if to ~= 'in_doubt' then
  save(entry)
  return 0
end
doubt(entry, failure ~= '' and failure)
return numberOf('queriesRequested')`,
})

/** Undoes a start whose backend was not called. */
export const takeBackScript = journalScript({
  given: ['key', 'fence', 'putOff'],
  body: `
local entry = entryOf(key)
if not entry or entry.state ~= 'started' or entry.fence ~= tonumber(fence) then return 0 end
stop(entry)
entry.state, entry.attempts, entry.retryAt = 'queued', entry.attempts - 1, now + putOff
entry.waitsSince = now
if entry.attempts == 0 then entry.first = false end
save(entry)
return 1`,
})

/** Queues an entry in doubt again. */
export const retryScript = journalScript({
  given: ['key'],
  body: `
${whenPassedOn}
local entry = entryOf(key)
if not entry or entry.state ~= 'in_doubt' then return 0 end
takeOutcome(entry)
entry.state, entry.retryAt = 'queued', false
save(entry)
return 1`,
})

/** Returns 1 when done. */
export const acknowledgeScript = journalScript({
  given: ['client', 'through'],
  body: `return acknowledge(client, tonumber(through)) and 1 or 0`,
})

/**
 * Closes a client first, so that late pushes are refused, then deletes a limited number of its decided mutations and outcomes, from a number
 * downwards (default: the highest). Returns the next numbers; 0 and 0 when done.
 */
export const dropClientScript = journalScript({
  given: ['client', 'number', 'outcome', 'limit'],
  body: `
${whenPassedOn}
local from, given = tonumber(number), tonumber(outcome)
if not from then
  local counts = clientOf(client)
  from, given = counts.highest, counts.outcomes
  counts.acknowledged = counts.outcomes + 1
  if from > 0 then saveClient(client, counts) end
end
local lowest = math.max(given - limit + 1, 1)
for place = given, lowest, -1 do removeField(K.given, under(client) .. place) end
local last = math.max(from - limit + 1, 1)
for place = from, last, -1 do
  local key = getField(K.places, under(client) .. place)
  removeField(K.places, under(client) .. place)
  local entry = key and entryOf(key)
  if entry and entry.client == client and entry.state == 'decided' then
    forget(entry)
    local left = {}
    for _, other in ipairs(createsOf(entry.object)) do
      if other ~= key then left[#left + 1] = other end
    end
    saveCreates(entry.object, left)
  end
end
return { math.max(last - 1, 0), math.max(lowest - 1, 0) }`,
})
