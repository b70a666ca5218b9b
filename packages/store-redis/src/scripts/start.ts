import { JOURNAL_KEYS, journal } from './journal.js'
import { json } from './json.js'
import { fences } from './lease.js'
import { head } from './objects.js'
import { whenPassedOn } from './passing.js'
import { script } from './script.js'

/**
 * Why not, as `obstacle` says it; else the entry, the epoch and the object as it stood at the first start. If they are asked for, also the name of
 * this life of the primary and whether replicas follow it, or did so lately: until then Redis keeps a backlog for them.
 */
export const startScript = script({
  keys: JOURNAL_KEYS,
  given: ['key', 'milliseconds', 'asksReplicas'],
  uses: [json, head, fences, journal],
  body: `
${whenPassedOn}
local function isBusy(entry)
  return call('HEXISTS', K.started, entry.object) == 1 or not isFirstOfObject(entry)
end

local function obstacle(entry)
  if not entry or entry.state ~= 'queued' then return 'state' end
  local waits = (entry.retryAt and entry.retryAt > now) or isBusy(entry)
  for _, owner in ipairs(entry.owners or {}) do
    local create = createOf(owner)
    local stands = create and create.key == key and 'decided' or ownerStanding(create)
    if stands == 'failed' then return 'owner' end
    waits = waits or stands == 'undecided'
  end
  return waits and 'held'
end

local entry = entryOf(key)
local refused = obstacle(entry)
if refused then return refused end
if not entry.first then
  local before = present(entry.object)
  entry.first = { before[1], before[2], before[3], numberOf('version') }
end
entry.state, entry.attempts, entry.fence = 'started', entry.attempts + 1, nextFence(tonumber(milliseconds))
entry.leasedUntil = now + milliseconds
call('HSET', K.started, entry.object, key)
save(entry)
if asksReplicas ~= '1' then return { listOf(entry), field('epoch') } end
local facts = call('INFO', 'replication')
local isFollowed = string.find(facts, 'repl_backlog_active:1', 1, true) and 1 or 0
return { listOf(entry), field('epoch'), string.match(facts, 'master_replid:(%w+)'), isFollowed }`,
})
