import { head, queryLease } from './objects.js'
import { script } from './script.js'

/**
 * Removes tombstones, and returns how many and whether more remain. Batches below the floor are never read, so those left over can wait for the next
 * call.
 */
export const compactScript = script({
  keys: ['head', 'leases', 'tombstones', 'batches'],
  given: ['below', 'limit'],
  uses: [head, queryLease],
  body: `
local MAX_BATCHES = 5000
if call('EXISTS', K.head) == 0 or queryRuns() then return { 0, 0 } end
local reach, most = math.min(tonumber(below), numberOf('version')), tonumber(limit)
local found = call('ZRANGEBYSCORE', K.tombstones, '-inf', reach, 'WITHSCORES', 'LIMIT', 0, most + 1)
local removed, more = math.min(#found / 2, most), #found / 2 > most
if more then reach = tonumber(found[2 * removed] or 0) end
if removed > 0 then call('ZREMRANGEBYRANK', K.tombstones, 0, removed - 1) end
local floor = math.max(numberOf('floor'), reach)
call('HSET', K.head, 'floor', floor)
local old = call('ZCOUNT', K.batches, '-inf', '(' .. floor)
if old > 0 then call('ZREMRANGEBYRANK', K.batches, 0, math.min(old, MAX_BATCHES) - 1) end
return { removed, more and 1 or 0 }`,
})
