import { script } from './script.js'

/** What stands in the future was written before the clock went back. */
const standingLua = `
local function standing()
  local kept = call('HMGET', K.counter, 'count', 'at', 'until')
  if not kept[1] or tonumber(kept[2]) > now or tonumber(kept[3]) <= now then return 0, 0 end
  return tonumber(kept[1]), now - tonumber(kept[2])
end
`

/** Counts once more and answers the count. The counter expires when it was not raised for these milliseconds. */
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

/** The count and the milliseconds since it was last raised; two zeros for one that expired. */
export const readCountScript = script({
  keys: ['counter'],
  uses: [standingLua],
  body: `
local count, age = standing()
return { count, math.floor(age) }`,
})
