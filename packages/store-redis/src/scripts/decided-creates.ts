/**
 * What a decided create means for those who name it goes on from step to step: a list, its last first, of a temporary id and its real one, or false where it was refused.
 * Whatever would look at those who name it finishes it first (\`PASSING\`), so that the process that begins it may die.
 */
export const decidedCreatesLua = `
local function isPassing() return call('EXISTS', K.passing) == 1 end

-- What was decided is written before.
local function beginPassing(temporary, real)
  writeAll()
  call('RPUSH', K.passing, cmsgpack.pack({ temporary, real }))
end

local MAX_PASSED = 75
local function passOne()
  local temporary, real = unpack(cmsgpack.unpack(call('LINDEX', K.passing, -1)))
  local key, member = firstUnder(K.byOwner, temporary)
  if not key then
    call('RPOP', K.passing)
    return 0, 0
  end
  local entry, size = entryOf(key)
  if not entry or entry.state == 'decided' then
    removeMember(K.byOwner, member)
  elseif real then
    leave(entry)
    rewrite(entry, { [temporary] = real })
    enter(entry)
    save(entry)
  else
    decideByCode(entry, 'depends_on_refused')
    -- Its own dependents come before the next: a device may send long chains.
    if entry.operation == 'create' then beginPassing(entry.object, false) end
    return size, 1
  end
  return size, 0
end

-- How many it refused, and whether that was all. The limit counts for one script, however often it is asked.
local passed, passedBytes = 0, 0
local function passOn()
  local refused = 0
  while passed < MAX_PASSED and passedBytes <= MAX_BYTES do
    if not isPassing() then return refused, true end
    local size, one = passOne()
    passed, passedBytes, refused = passed + 1, passedBytes + size, refused + one
  end
  return refused, not isPassing()
end
`

/** What a script answers that has done nothing, as what was decided before it is yet to be passed on. */
export const PASSING = 'passing'
/** Before anything that a script does. */
export const whenPassedOn = `if call('EXISTS', K.passing) == 1 then return '${PASSING}' end`
