import { COMMIT_LIFE, MAX_LISTED } from '@godwit/store/history'
import { script } from './script.js'

/**
 * A packed commit, with its version as the score: version, time, origin (kind, login or user, client; false if unknown), and ids with their previous
 * versions (negative: a tombstone; 0: none). The last is false if there were too many to list.
 */
export const changeLogLua = `
-- The limit of commitsKept in store/history.
local function commitsKept(count) return 200 + math.floor(count / 100) end

local function logCommit(rows, version, time, count, origin)
  local changes = #rows <= ${MAX_LISTED} and {}
  for _, row in ipairs(changes and rows or {}) do
    changes[#changes + 1] = row[1]
    changes[#changes + 1] = tonumber(row[5] or 0) - (row[5] and 0 or tonumber(row[6] or 0))
  end
  setScores(K.changeLog, { version, cmsgpack.pack({ version, time, origin or false, changes }) })
  call('ZREMRANGEBYSCORE', K.changeLog, '-inf', version - commitsKept(count))
end
`

/** How many commits one step of forgetting removes at most. */
export const MAX_FORGOTTEN = 100

/** Removes commits past their retention time, oldest first; returns how many. */
export const forgetScript = script({
  keys: ['changeLog'],
  given: [],
  body: `
local old = {}
for _, packed in ipairs(call('ZRANGE', K.changeLog, 0, ${MAX_FORGOTTEN - 1})) do
  if cmsgpack.unpack(packed)[2] > now - ${COMMIT_LIFE} then break end
  old[#old + 1] = packed
end
if #old > 0 then call('ZREM', K.changeLog, unpack(old)) end
return #old`,
})

/**
 * Follows an object back from version `from`, or from its present version: its state and version, then version, time, origin and previous version of
 * each commit. A long chain stops early, and continues with another call.
 */
export const historyScript = script({
  keys: ['live', 'tombstones', 'changeLog'],
  given: ['id', 'from', 'limit'],
  body: `
local MAX_ENTRIES = 100
local live, gone = call('ZSCORE', K.live, id), call('ZSCORE', K.tombstones, id)
local state = live and 'live' or gone and 'gone' or 'never'
local version = tonumber(live or gone or 0)
local answer, next = { state, version }, tonumber(from) or version
for _ = 1, math.min(tonumber(limit), MAX_ENTRIES) do
  if next == 0 then break end
  local packed = call('ZRANGEBYSCORE', K.changeLog, next, next)[1]
  if not packed then break end
  local commit, previous = cmsgpack.unpack(packed), false
  for at = 1, #(commit[4] or {}), 2 do
    if commit[4][at] == id then previous = commit[4][at + 1] end
  end
  answer[#answer + 1] = { commit[1], commit[2], commit[3], previous }
  if not previous then break end
  next = math.abs(previous)
end
return answer`,
})
