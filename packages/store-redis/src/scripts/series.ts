import { script } from './script.js'

/** A key's points are a list ordered by time, each `time kind values`; old ones are removed from the front. Numbers stay text, unrounded. */
const pointsLua = `
local function timeOf(point) return point and tonumber(string.match(point, '^%S+')) end

local function forget(key, oldest)
  local low, high = 0, call('LLEN', key)
  while low < high do
    local middle = math.floor((low + high) / 2)
    if timeOf(call('LINDEX', key, middle)) <= oldest then low = middle + 1 else high = middle end
  end
  if low > 0 then call('LTRIM', key, low, -1) end
end
`

const joinLua = `
local function numbers(point)
  local list = {}
  for text in string.gmatch(point, '%S+') do list[#list + 1] = tonumber(text) or text end
  return list
end

local function exact(number) return string.format('%.17g', number) end

-- Buckets are merged; a level replaces the point.
local function joined(before, point)
  local one, other = numbers(before), numbers(point)
  if one[2] ~= 'b' or other[2] ~= 'b' then return point end
  return table.concat({ other[1], 'b', exact(one[3] + other[3]), exact(one[4] + other[4]),
    exact(math.min(one[5], other[5])), exact(math.max(one[6], other[6])) }, ' ')
end

-- Points arrive roughly in order of time, so the search starts at the end.
local function put(key, point)
  local time, at = timeOf(point), -1
  local there = call('LINDEX', key, at)
  while there and timeOf(there) > time do
    at = at - 1
    there = call('LINDEX', key, at)
  end
  if there and timeOf(there) == time then
    call('LSET', key, at, joined(there, point))
  elseif there then
    call('LINSERT', key, 'AFTER', there, point)
  else
    call('LPUSH', key, point)
  end
end
`

/** Adds points: one argument for each key, then the names of the keys. A key expires without new points. */
export const addPointsScript = script({
  keys: ['names'],
  given: ['oldest', 'milliseconds'],
  uses: [pointsLua, joinLua],
  body: `
local count = #KEYS - 1
for index = 1, count do
  local key = KEYS[index + 1]
  forget(key, tonumber(oldest))
  put(key, ARGV[REST + index - 1])
  call('PEXPIRE', key, milliseconds)
  call('ZADD', K.names, 0, ARGV[REST + count + index - 1])
end`,
})

/** Returns for each key whether it has a point within the retention time. */
export const keptScript = script({
  keys: ['names'],
  given: ['oldest'],
  uses: [pointsLua],
  body: `
local answer = {}
for index = 2, #KEYS do
  local last = timeOf(call('LINDEX', KEYS[index], -1))
  answer[index - 1] = last and last > tonumber(oldest) and 1 or 0
end
return answer`,
})

export const readPointsScript = script({
  keys: ['names'],
  given: ['oldest', 'start', 'finish'],
  uses: [pointsLua],
  body: `
forget(KEYS[2], tonumber(oldest))
if call('EXISTS', KEYS[2]) == 0 then return false end
return call('LRANGE', KEYS[2], start, finish)`,
})
