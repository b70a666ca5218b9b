/**
 * Passes a decided create on to the mutations that name it, over several steps: a list, processed from its end, of temporary ids and real ones (false
 * if refused). Scripts that read such mutations finish it first (\`PASSING\`), so the process that begins it may die.
 */
export const decidedCreatesLua = `
local function isPassing() return call('EXISTS', K.passing) == 1 end

-- Decisions so far are written first, since passing on reads them from Redis.
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
    -- Its dependents come before the next one, since a device may send long chains.
    if entry.operation == 'create' then beginPassing(entry.object, false) end
    return size, 1
  end
  return size, 0
end

-- Returns how many it refused, and whether it finished. The limits hold for the whole script, over all calls.
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

/** The reply of a script that did nothing, since earlier decisions must be passed on first. */
export const PASSING = 'passing'
/** Begins every script that reads dependents. */
export const whenPassedOn = `if call('EXISTS', K.passing) == 1 then return '${PASSING}' end`
