import { indexLua } from './names.js'
import { changeObjectLua, OBJECT_KEYS, writeObjectLua } from './objects.js'
import { script } from './script.js'

const given = ['isGuarded', 'expected', 'epoch', 'firstMark', 'mark', 'kind', 'login'] as const

const isOfItsEpoch = `
if isGuarded == '' then
  findOrMake(epoch, firstMark)
elseif field('epoch') ~= expected then
  return false
end`

const originLua = `
local function originOf(kind, login) return kind ~= '' and { kind, login } end`

const stateLua = `
local state = call('HMGET', K.head, 'version', 'mark', 'epoch', 'count')
return { changed, tonumber(state[1]), state[2], state[3], tonumber(state[4]), isIndexed() }`

/** Bytes of JSON that one step may parse. */
export const MAX_MERGED = 32_768

/** Reads changes of seven arguments each, for `applyChanges`; also returns whether they are too large for one step. */
const takeChangesLua = `
local function changesFrom(at)
  local changes, length = {}, 0
  for at = at, #ARGV, 7 do
    changes[#changes + 1] = { unpack(ARGV, at, at + 6) }
    length = length + #ARGV[at + 3] + #ARGV[at + 5] + call('HSTRLEN', K.objects, ARGV[at])
  end
  return changes, length > ${MAX_MERGED}
end`

/**
 * Applies a batch: a guarded one requires the expected epoch, otherwise a missing collection is created. Returns `large`, with nothing done, if one
 * step would parse too much JSON.
 */
export const applyScript = script({
  keys: OBJECT_KEYS,
  given,
  uses: [changeObjectLua, takeChangesLua, originLua, indexLua],
  body: `
local changes, isLarge = changesFrom(REST)
if isLarge then return 'large' end
${isOfItsEpoch}
local changed = applyChanges(changes, mark, originOf(kind, login), isCalled)
${stateLua}`,
})

/** The epoch, and for each object its version (0: it never existed) and text (false for a tombstone). */
export const presentScript = script({
  keys: OBJECT_KEYS,
  uses: [writeObjectLua],
  body: `
local ids, answer = { unpack(ARGV, REST) }, {}
if #ids == 0 then return { field('epoch') or '', answer } end
local texts, versions, tombstones = call('HMGET', K.objects, unpack(ids)), getScores(K.live, ids), getScores(K.tombstones, ids)
for index in ipairs(ids) do
  answer[2 * index - 1] = tonumber(versions[index] or tombstones[index] or 0)
  answer[2 * index] = texts[index]
end
return { field('epoch') or '', answer }`,
})

/**
 * Applies a batch that was mostly computed by the client: six arguments for each such object (id, lanes, version seen, action `w`rite, `e`qual,
 * `r`emove, `g`one already or none, and text), then the other changes. Returns `stale` with the ids that changed since, or `large`; nothing was done
 * then.
 */
export const commitScript = script({
  keys: OBJECT_KEYS,
  given: [...given, 'seenEpoch', 'count'],
  uses: [changeObjectLua, takeChangesLua, originLua, indexLua],
  body: `
if (field('epoch') or '') ~= seenEpoch then return isGuarded ~= '' and field('epoch') ~= expected and false or { 'stale' } end
local rest = REST + 6 * count
local changes, isLarge = changesFrom(rest)
if isLarge then return 'large' end
${isOfItsEpoch}
local ids = {}
for at = REST, rest - 1, 6 do ids[#ids + 1] = ARGV[at] end
local versions, tombstones, rows, stale = getScores(K.live, ids), getScores(K.tombstones, ids), {}, { 'stale' }
local keepEqual = queryRuns()
for index, id in ipairs(ids) do
  local at = REST + 6 * (index - 1)
  if tonumber(versions[index] or tombstones[index] or 0) ~= tonumber(ARGV[at + 3]) then stale[#stale + 1] = id end
  local deed, text = ARGV[at + 4], ARGV[at + 5]
  if deed == 'w' or deed == 'r' or (deed ~= '' and (keepEqual or isCalled(id))) then
    rows[#rows + 1] = { id, ARGV[at + 1], ARGV[at + 2], (deed == 'w' or deed == 'e') and text, versions[index], tombstones[index] }
  end
end
if #stale > 1 then return stale end
addRows(changes, rows, isCalled)
writeBatch(rows, mark, originOf(kind, login))
local changed = #rows
${stateLua}`,
})
