import { script } from './script.js'

/** Ignores counters with a future time: they were written before the clock was set back. */
const standingLua = `
local function standing()
  local kept = call('HMGET', K.counter, 'count', 'at', 'until')
  if not kept[1] or tonumber(kept[2]) > now or tonumber(kept[3]) <= now then return 0, 0 end
  return tonumber(kept[1]), now - tonumber(kept[2])
end
`

/** Increments a counter and returns it. It expires after this number of milliseconds without an increment. */
export const addCountScript = script({
  keys: ['counter'],
  given: ['milliseconds'],
  uses: [standingLua],
  body: `
local count = standing() + 1
call('HSET', K.counter, 'count', count, 'at', now, 'until', now + milliseconds)
call('PEXPIRE', K.counter, milliseconds + 60000)
return count`,
})

/** Returns the count and the milliseconds since the last increment; two zeros if it expired. */
export const readCountScript = script({
  keys: ['counter'],
  uses: [standingLua],
  body: `
local count, age = standing()
return { count, math.floor(age) }`,
})
