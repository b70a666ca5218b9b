import { CLOCK_SLACK } from '@godwit/store'
import { script } from './script.js'

/**
 * Fences increase by at least one and never fall behind the clock, so they increase even if the counter was lost or expired. The key outlives its
 * last lease by a day.
 */
export const fences = `
-- A time this far in the future was written before the clock was set back; it counts as past.
local function isFromClockAhead(at) return (tonumber(at) or 0) > now + ${CLOCK_SLACK} end

local DAY = 86400000

local function lastFence() return tonumber(call('HGET', K.leases, 'fence') or 0) end
local function fenceAfter(fence) return math.max(fence + 1, now) end

local function keepFence(fence, milliseconds)
  call('HSET', K.leases, 'fence', fence)
  local ends = math.max(call('PTTL', K.leases), milliseconds + DAY)
  call('PEXPIRE', K.leases, ends)
end
`

/** Acquires a lease. Returns the fence, or false while another holder has it. */
export const acquireScript = script({
  keys: ['leases'],
  given: ['kind', 'holder', 'milliseconds'],
  uses: [fences],
  body: `
local held = call('HMGET', K.leases, kind .. ':until', kind .. ':holder', kind .. ':since')
if held[1] and tonumber(held[1]) > now and not isFromClockAhead(held[3]) and held[2] ~= holder then return false end
local fence = fenceAfter(lastFence())
keepFence(fence, milliseconds)
call('HSET', K.leases, kind .. ':until', now + milliseconds, kind .. ':holder', holder, kind .. ':fence', fence, kind .. ':since', now)
return fence`,
})

/** Extends a lease, or ends it if no time is given. */
export const renewScript = script({
  keys: ['leases'],
  given: ['kind', 'holder', 'fence', 'milliseconds'],
  uses: [fences],
  body: `
local held = call('HMGET', K.leases, kind .. ':until', kind .. ':holder', kind .. ':fence', kind .. ':since')
if not held[1] or tonumber(held[1]) <= now or isFromClockAhead(held[4]) or tonumber(held[3]) ~= tonumber(fence) then return 0 end
if milliseconds == '' then
  call('HDEL', K.leases, kind .. ':until', kind .. ':holder', kind .. ':fence', kind .. ':since')
elseif held[2] == holder then
  call('HSET', K.leases, kind .. ':until', now + milliseconds, kind .. ':since', now)
  call('PEXPIRE', K.leases, math.max(call('PTTL', K.leases), milliseconds + 86400000))
else
  return 0
end
return 1`,
})

/** Ends all leases of a key, and keeps its fence. */
export const clearLeasesScript = script({
  keys: ['leases'],
  body: `
for _, name in ipairs(call('HKEYS', K.leases)) do
  if name ~= 'fence' then call('HDEL', K.leases, name) end
end`,
})
