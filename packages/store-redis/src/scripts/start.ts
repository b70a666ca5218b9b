import { whenPassedOn } from './decided-creates.js'
import { entries, entryPackingLua } from './entries.js'
import { atTheEnd } from './hash-access.js'
import { creates, withPendingWrites } from './journal.js'
import { fences } from './lease.js'
import { keptHead } from './objects.js'
import { order } from './order.js'
import { script } from './script.js'

/** The keys of the journal that a start needs. Redis defines a script's functions at each call, so fewer are faster. */
const KEYS = [
  'head',
  'leases',
  'objects',
  'live',
  'tombstones',
  'mutations',
  'byObject',
  'creates',
  'started',
  'passing',
] as const

/**
 * Starts entries in order (key and lease in milliseconds), as many as one step may. Returns the epoch, optionally the primary's replication id and
 * whether it has or recently had replicas (Redis keeps a backlog until then); then for each the obstacle, or the entry with the object at its first
 * start.
 *
 * Example: entries 4 and 5 change the same object, and 4 is running. 4 is an obstacle, so the answer for 5 is `held`, and it stays queued; entry 6 of
 * another object starts with a lease, and the worker that has it calls the backend.
 */
export const startScript = script({
  keys: KEYS,
  given: ['asksReplicas'],
  uses: [atTheEnd, keptHead, entries, entryPackingLua, order, creates, fences],
  body: withPendingWrites(`
${whenPassedOn}
local function isBusy(entry)
  return getField(K.started, entry.object) or not isFirstOfObject(entry)
end

local function obstacle(entry)
  if not entry or entry.state ~= 'queued' then return 'state' end
  local waits = (entry.retryAt and entry.retryAt > now and not isFromClockAhead(entry.waitsSince)) or isBusy(entry)
  for _, owner in ipairs(entry.owners or {}) do
    local create = createOf(owner)
    local stands = create and create.key == entry.key and 'decided' or ownerStanding(create)
    if stands == 'failed' then return 'owner' end
    waits = waits or stands == 'undecided'
  end
  return waits and 'held'
end

local function begin(entry, fence, milliseconds)
  if not entry.first then
    local before = present(entry.object)
    entry.first = { before[1], before[2], before[3], numberOf('version') }
  end
  entry.state, entry.attempts, entry.fence = 'started', entry.attempts + 1, fence
  entry.leasedUntil, entry.waitsSince = now + milliseconds, now
  setField(K.started, entry.object, entry.key)
  save(entry)
end

local facts = { field('epoch'), false, false }
local fence, longest, bytes, answer = lastFence(), nil, 0, { facts }
for at = REST, #ARGV, 2 do
  if bytes > MAX_BYTES then break end
  local milliseconds = tonumber(ARGV[at + 1])
  local entry, size = entryOf(ARGV[at])
  local refused = obstacle(entry)
  if not refused then
    fence, longest = fenceAfter(fence), math.max(longest or 0, milliseconds)
    begin(entry, fence, milliseconds)
    size = size + #(entry.first[3] or '')
  end
  bytes = bytes + size
  answer[#answer + 1] = refused or listOf(entry)
end
if longest then keepFence(fence, longest) end
if longest and asksReplicas == '1' then
  local replication = call('INFO', 'replication')
  facts[2] = string.match(replication, 'master_replid:(%w+)')
  facts[3] = string.find(replication, 'repl_backlog_active:1', 1, true) and 1 or 0
end
return answer`),
})
