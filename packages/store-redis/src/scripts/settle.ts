import { whenPassedOn } from './decided-creates.js'
import { journalScript } from './journal.js'
import { storedChangeLua } from './objects.js'

/** The write of a settlement, as computed by `settledWrite`: the change if any, how much was spared, and whether a query is needed. */
const settledWriteLua = `
local NEVER = { 'never', 0, false }

-- A create's real id was not read when it started: if it changed since, it counts as never seen.
local function beforeOf(write, entry, now)
  local first = entry.first
  if write.object == entry.object then return first or now end
  if not first or now[1] == 'never' or now[2] <= first[4] then return now end
  return NEVER
end

local function wasRemovedSince(before, now)
  if before[1] == 'live' then return true end
  if now[1] ~= 'gone' then return false end
  return before[1] == 'never' or now[2] > before[2]
end

local function sameValue(left, right)
  if left == 'null' then left = nil end
  if right == 'null' then right = nil end
  if not left or not right then return left == right end
  return same(left, right)
end

-- Writes an attribute only if its present value is the one seen at the start, or already the new one.
local function settledAttributes(set, before, now, wasReported)
  local names, values = members(set)
  local _, seen = members(before[1] == 'live' and before[3] or '{}')
  local _, present = members(now[3])
  local spared, written, over = 0, 0, 0
  for _, name in ipairs(names) do
    local isThere = sameValue(present[name], values[name])
    if isThere or sameValue(present[name], seen[name]) then
      written, over = written + 1, isThere and over or over + 1
    else
      spared, values[name] = spared + 1, nil
    end
  end
  return (spared == 0 or written > 0) and objectText(names, values), spared, spared > 0 or (wasReported and over > 0)
end

-- Returns the text to merge, true for a removal, or false for no write.
local function settledWrite(write, entry, now, isMoved)
  local before, first = beforeOf(write, entry, now), entry.first
  if write.remove then
    local spares = now[1] == 'live' and (before[1] ~= 'live' or before[2] ~= now[2])
    return isMoved or not spares, spares and 1 or 0, spares
  end
  if now[1] == 'live' then return settledAttributes(write.set, before, now, first and now[2] > first[4]) end
  if wasRemovedSince(before, now) then return false, 1, true end
  return write.set, 0, false
end
`

/** How many arguments one settlement has. */
export const SETTLEMENT = 14

/**
 * Settles mutations in order, as many as one step may: changes, outcome, then the first dependents. Returns how many undecided entries remain, then
 * for each the refusal, or its outcome and whether all dependents are done; one with dependents left is the last.
 *
 * Dependents are the later changes of an object that was created with a temporary id. Example: mutation 1 creates `tmp-1`, mutation 2 updates it. The
 * backend returns the id `42`: this step writes the object `42`, the outcome of 1 with the link `tmp-1` → `42`, and rewrites 2 so that it names `42`.
 * If the backend refuses the create, 2 is refused with it.
 */
export const settleScript = journalScript({
  given: ['mark'],
  uses: [storedChangeLua, settledWriteLua],
  body: `
${whenPassedOn}
-- A settlement without a fence is for an entry whose backend is not being called.
local function mayDecide(entry, fence)
  if not entry or entry.state == 'decided' then return false end
  if fence == '' then return entry.state ~= 'started' end
  return entry.fence == tonumber(fence) and entry.fence > 0
end

local function settle(at)
  local key, epoch, fence, status, link, failure, ask, kind, object, set, high, low, overwrote, moved = unpack(ARGV, at, at + ${SETTLEMENT - 1})
  if field('epoch') ~= epoch then return 'epoch', 0, true end
  local entry, size = entryOf(key)
  if not mayDecide(entry, fence) then return 'state', size, true end
  local target = object ~= '' and object or link ~= '' and link or entry.object
  local before, spared, asks = present(target), 0, false
  if kind ~= '' then
    local change
    change, spared, asks = settledWrite({ object = object, remove = kind == 'remove', set = set }, entry, before, moved ~= '')
    if change then
      applyChanges({ { object, high, low, '', '', change == true and '' or change, change == true and '1' or '' } }, mark, { 'device', entry.user, entry.client })
    end
  end
  local queryRequest = 0
  if ask == '1' or asks then
    requestQuery()
    queryRequest = numberOf('queriesRequested')
  end
  local decision = { status = status, link = link ~= '' and link, failure = failure ~= '' and failure, target = target, before = before, overwrote = overwrote ~= '' and overwrote, moved = moved ~= '' and moved }
  local outcome = decide(entry, decision)
  local refused, isAll = 0, true
  if entry.operation == 'create' and firstUnder(K.byOwner, entry.object) then
    local isApplied = entry.outcome[2] == 'applied'
    beginPassing(entry.object, isApplied and (entry.outcome[3] or entry.object))
    refused, isAll = passOn()
  end
  local bytes = size + #set + #overwrote + #moved + #(before[3] or '')
  return { entry.number, outcome, numberOf('version'), spared, refused, isAll and 1 or 0, queryRequest }, bytes, isAll
end

-- Bytes of JSON that one step may parse.
local MAX_SETTLED = 32768
local answer, bytes = {}, 0
for at = REST, #ARGV, ${SETTLEMENT} do
  local settled, size, isAll = settle(at)
  answer[#answer + 1], bytes = settled, bytes + size
  if not isAll or bytes > MAX_SETTLED then break end
end
writeAll()
return { call('ZCARD', K.undecided), answer }`,
})

/** Passes on to further dependents. Returns how many it refused, and whether it finished. */
export const passOnScript = journalScript({
  body: `
local refused, isAll = passOn()
return { refused, isAll and 1 or 0 }`,
})
