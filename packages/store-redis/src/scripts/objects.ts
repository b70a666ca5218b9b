import { CLOCK_SLACK } from '@godwit/store'
import { changeLogLua } from './change-log.js'
import { atOnce } from './hash-access.js'
import { json } from './json.js'

/** The fields of the head, over either implementation in `hash-access.ts`. */
export const keptHead = `
local function field(name) return getField(K.head, name) end
local function numberOf(name) return tonumber(field(name) or 0) end

-- Requests a query, in the same step as the change that requires it.
local function requestQuery() setFields(K.head, { 'queriesRequested', numberOf('queriesRequested') + 1, 'queryRequestedAt', now }) end

-- Version 0 has a mark as well, for readers of the empty collection.
local function findOrMake(epoch, mark)
  if call('EXISTS', K.head) == 1 then return end
  setFields(K.head, { 'epoch', epoch, 'version', 0, 'mark', mark, 'time', now, 'count', 0,
    'checksum', '0000000000000000', 'floor', 0, 'queriesRequested', 0, 'queriesServed', 0 })
  setScores(K.batches, { 0, mark .. ' ' .. now })
end
`

/** Sets the next query's time and notes when; `queryAgainAt` does so unless it was changed while the query ran. */
export const nextQueryLua = `
local function setDue(at) call('HSET', K.head, 'nextQuery', at, 'dueSetAt', now) end

local function queryAgainAt(nextQuery, before)
  if (field('nextQuery') or '') ~= before then return end
  if nextQuery == '' then call('HDEL', K.head, 'nextQuery', 'dueSetAt') else setDue(nextQuery) end
end
`

/** Reads the head with the time of the reading, as alternating names and values; empty without a collection. */
export const wholeHead = `
local function wholeHead()
  local fields = call('HGETALL', K.head)
  if #fields > 0 then fields[#fields + 1], fields[#fields + 2] = 'readAt', string.format('%.0f', now) end
  return fields
end
`

/** The head of a collection, with direct access. */
export const head = [atOnce, keptHead].join('\n')

/** True while a query runs, under the given fence if any, by the collection's leases. */
export const queryLease = `
local function queryRuns(fence)
  local lease = getFields(K.leases, { 'query:until', 'query:fence', 'query:since' })
  return lease[1] and tonumber(lease[1]) > now and (tonumber(lease[3]) or 0) <= now + ${CLOCK_SLACK} and (not fence or tonumber(lease[2]) == tonumber(fence)) or false
end
`

/** The protocol's checksum, Σ hash64(id, version). The hash of each id is passed in, as two lanes of 32 bits. */
const checksumLua = `
local bxor, rshift = bit.bxor, bit.rshift
local WORD = 4294967296

local function imul(left, right)
  local low = left % 65536
  return (low * right + ((left - low) / 65536 * right) % 65536 * 65536) % WORD
end

local function scramble(lane)
  lane = imul(bxor(lane, rshift(lane, 16)), 0x7feb352d)
  lane = imul(bxor(lane, rshift(lane, 15)), 0x846ca68b)
  return bxor(lane, rshift(lane, 16)) % WORD
end

local function hash(high, low, version)
  local versionLow = version % WORD
  local versionHigh = (version - versionLow) / WORD
  high = bxor(imul(bxor(high, versionLow), 0x85ebca6b), versionHigh)
  low = bxor(imul(bxor(low, versionLow), 0xc2b2ae35), imul(versionHigh, 0x27d4eb2f))
  high = scramble(bxor(high, rshift(low, 15)))
  return high, scramble(bxor(low, high))
end

local function checksumPlus(text, high, low)
  low = low + tonumber(sub(text, 9), 16)
  high = high + tonumber(sub(text, 1, 8), 16) + math.floor(low / WORD)
  return string.format('%08x%08x', high % WORD, low % WORD)
end
`

/**
 * Writes rows; the only code that assigns versions.
 *
 * An object is in four keys that must agree: its text in `objects`, its version in `live`, its id in `ids` (all with score 0, for order by id), or,
 * once removed, its version in `tombstones` alone. `batches` has the mark and time of each version, and `head` the count and the checksum, which
 * loses the hash of each old version and gains that of each new one.
 *
 * Example: version 7 has `a` with version 3. A batch removes `a` and creates `b`: both get version 8. `a` moves from `objects`, `live` and `ids` to
 * `tombstones`, `b` is added to the first three, the count stays, and the checksum is the former one minus hash(a, 3) plus hash(b, 8).
 */
const writeLua = `
-- Writes a batch of rows { id, high, low, text, version, removed } as one new version, or nothing without rows. Text is false for a tombstone;
-- version and removed are those of the present object or tombstone, or false. The origin is a list, as in the change log.
local function writeBatch(rows, mark, origin)
  if #rows == 0 then return end
  local state = getFields(K.head, { 'version', 'time', 'count', 'checksum' })
  local version, time, count = state[1] + 1, math.max(tonumber(state[2]), now), tonumber(state[3])
  local sumHigh, sumLow = 0, 0
  local texts, live, born, gone, dead, tombstones = {}, {}, {}, {}, {}, {}
  for _, row in ipairs(rows) do
    local id, text, present = row[1], row[4], row[5]
    local high, low = tonumber(row[2]), tonumber(row[3])
    if present then
      local oldHigh, oldLow = hash(high, low, tonumber(present))
      sumHigh, sumLow, count = sumHigh - oldHigh, sumLow - oldLow, count - 1
    end
    if text then
      local newHigh, newLow = hash(high, low, version)
      sumHigh, sumLow, count = sumHigh + newHigh, sumLow + newLow, count + 1
      texts[#texts + 1], texts[#texts + 2] = id, text
      live[#live + 1], live[#live + 2] = version, id
      if not present then
        born[#born + 1], born[#born + 2] = 0, id
        gone[#gone + 1] = id
      end
    else
      if present then dead[#dead + 1] = id end
      tombstones[#tombstones + 1], tombstones[#tombstones + 2] = version, id
    end
  end
  setFields(K.objects, texts)
  setScores(K.live, live)
  setScores(K.ids, born)
  removeMembers(K.tombstones, gone)
  removeFields(K.objects, dead)
  removeMembers(K.live, dead)
  removeMembers(K.ids, dead)
  setScores(K.tombstones, tombstones)
  setFields(K.head, { 'version', version, 'mark', mark, 'time', time, 'count', count,
    'checksum', checksumPlus(state[4], sumHigh, sumLow) })
  setScores(K.batches, { version, mark .. ' ' .. time })
  logCommit(rows, version, time, count, origin)
end
`

/**
 * Computes changed objects as `changeObject` does, and writes batches of them.
 *
 * A change names what it takes from the present object (`without`), what replaces it, and what is merged over it, each as JSON or ''. Example: the
 * object is `{"a":1,"b":2}`; without `{"b":2}` and merge `{"c":3}` it becomes `{"a":1,"c":3}`. If that equals the stored object, no version is
 * spent on it, except while a query runs: the query must see that the object was written after it began.
 */
const changeLua = `
local function liveText(present, without, replace, merge)
  if replace ~= '' and without == '' and merge == '' then return replace end
  local names, values = members(present or '{}')
  local emptied = false
  if without ~= '' then
    for _, name in ipairs(members(without)) do emptied = take(name, values) or emptied end
    names = namesLeft(names, values)
    emptied = emptied and #names == 0
  end
  if replace ~= '' then names, values = members(replace) end
  if merge ~= '' then lay(merge, names, values) end
  local text = objectText(names, values)
  return not (emptied and text == '{}') and text
end

-- A change of an object with a call in progress is written even if it is equal: the settlement of the call depends on it.
local function isCalled(id) return getField(K.started, id) end

-- Adds the rows of changes { id, high, low, without, replace, merge, remove }. An unchanged object gets a row only while a query runs, or if
-- keepsEqual returns true for it.
local function addRows(changes, rows, keepsEqual)
  if #changes == 0 then return end
  local ids = {}
  for index, one in ipairs(changes) do ids[index] = one[1] end
  local presents = getFields(K.objects, ids)
  local versions, tombstones = getScores(K.live, ids), getScores(K.tombstones, ids)
  local keepEqual = queryRuns()
  for index, one in ipairs(changes) do
    local present = presents[index]
    local text, equal, touched = false, tombstones[index], true
    if one[7] ~= '1' then
      touched = present or one[5] ~= '' or one[6] ~= ''
      text = touched and liveText(present, one[4], one[5], one[6])
      equal = touched and present and text and same(present, text)
    end
    local isWritten = not equal or keepEqual or (keepsEqual and keepsEqual(one[1]))
    if touched and isWritten then rows[#rows + 1] = { one[1], one[2], one[3], text, versions[index], tombstones[index] } end
  end
end

-- Returns how many rows were written.
local function applyChanges(changes, mark, origin, keepsEqual)
  local rows = {}
  addRows(changes, rows, keepsEqual)
  writeBatch(rows, mark, origin)
  return #rows
end
`

/** The keys that writing objects reads or writes. */
export const OBJECT_KEYS = [
  'head',
  'leases',
  'objects',
  'live',
  'ids',
  'tombstones',
  'batches',
  'changeLog',
  'started',
] as const

/** These work over either implementation in `hash-access.ts`. */
const storedWriteLua = [queryLease, checksumLua, changeLogLua, writeLua].join('\n')
export const storedChangeLua = [storedWriteLua, changeLua].join('\n')

/** Fragments that write objects with direct access. */
export const writeObjectLua = [json, head, storedWriteLua].join('\n')
/** The same, with the computation of changes. */
export const changeObjectLua = [json, head, storedChangeLua].join('\n')
