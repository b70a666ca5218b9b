import { CLOCK_SLACK } from '@godwit/store'
import { script } from './script.js'

/** The keys of `JobsKey`, in the order in which scripts name them. */
export const JOBS_KEYS = ['records', 'names', 'dead', 'groups', 'queues', 'parked'] as const

/** The reason of an attempt that ended with its worker. */
export const LOST = 'Its worker was lost while it ran.'

/**
 * A record is the truth about a job; what the library carries from process to process is a ticket for it. A ticket counts if the job waits, is due, and no
 * other job of its group runs; of one that runs, only the ticket that the record names counts.
 */
const jobsLua = `
local function recordOf(name)
  local text = call('HGET', K.records, name)
  local record = text and cjson.decode(text)
  if not record or (record.writtenAt or 0) <= now + ${CLOCK_SLACK} then return record end
  -- Of a clock that was ahead: due now; one that runs is leased a little longer, as its worker may still be there.
  record.isOverdue, record.dueAt = true, math.min(record.dueAt, now)
  if record.again then record.again = math.min(record.again, now) end
  if record.ends then record.ends = math.min(record.ends, now + ${CLOCK_SLACK}) end
  return record
end

local function keep(name, record)
  record.writtenAt, record.isOverdue = now, nil
  call('HSET', K.records, name, cjson.encode(record))
  call('ZADD', K.names, 0, name)
end

local function forget(name)
  call('HDEL', K.records, name)
  call('ZREM', K.names, name)
  call('ZREM', K.dead, name)
end

local function wait(record, dueAt)
  record.state, record.dueAt = 'waiting', dueAt
  record.again, record.ends, record.run = nil, nil, nil
end

-- As often as it may it waits for its next attempt, then for its next time if it is repeated, then it is dead.
local function fail(name, record, reason)
  local again = record.again
  record.reason = reason
  if record.attempts < record.limit then
    local pause = math.min(60000, record.backOff * 2 ^ math.min(record.attempts - 1, 20))
    wait(record, math.min(again or now + pause, now + pause))
  elseif again or record.every then
    record.attempts = 0
    wait(record, again or now + record.every)
  else
    wait(record, now)
    record.state = 'dead'
    call('ZADD', K.dead, now, name)
  end
  keep(name, record)
end
`

/**
 * Answers the ticket to hand in, in how many milliseconds, and since when; the channel tells workers of a queue that they do not know. What waits keeps its
 * ticket unless it is due earlier from now on; what runs keeps its own, which its worker hands in again.
 */
export const enqueueScript = script({
  keys: JOBS_KEYS,
  given: ['name', 'queue', 'content', 'delay', 'ticket', 'channel'],
  uses: [jobsLua],
  body: `
local before, record, dueAt = recordOf(name), cjson.decode(content), now + delay
record.attempts, record.ticket = 0, ticket
local left = tonumber(delay)
if before and before.state == 'running' then
  for _, member in ipairs({ 'state', 'attempts', 'dueAt', 'reason', 'ticket', 'run', 'ends', 'held' }) do record[member] = before[member] end
  record.again = math.min(before.again or dueAt, dueAt)
  left = math.max(0, before.ends - now)
elseif before and before.state == 'waiting' then
  record.attempts, record.reason = before.attempts, before.reason
  -- The library would hold that ticket back for as long as the clock went.
  if before.dueAt <= dueAt and not before.isOverdue then record.ticket = before.ticket end
  wait(record, math.min(before.dueAt, dueAt))
  left = math.max(0, record.dueAt - now)
else
  call('ZREM', K.dead, name)
  wait(record, dueAt)
end
keep(name, record)
if call('ZADD', K.queues, now, queue) == 1 then call('SPUBLISH', channel, queue) end
return { record.ticket, left, now }`,
})

/**
 * The record, if its work may begin with this ticket; or in how many milliseconds the ticket is to come again; or nothing: it does not count.
 * Keys behind the own ones are what the library keeps about the queue even when it is empty: they go two months after its last job.
 */
export const beginScript = script({
  keys: JOBS_KEYS,
  given: ['name', 'ticket', 'run', 'lease', 'month', 'parked'],
  uses: [jobsLua],
  body: `
for at = ${JOBS_KEYS.length + 1}, #KEYS do call('PEXPIRE', KEYS[at], 2 * month) end
for _, old in ipairs(call('ZRANGEBYSCORE', K.dead, '-inf', now - month, 'LIMIT', 0, 100)) do forget(old) end
local record = recordOf(name)
if not record then return false end
if record.ticket ~= ticket then
  -- Who named another may have died before handing it in: then none but this one comes.
  if record.state ~= 'waiting' then return false end
  record.ticket = ticket
end
if record.state == 'running' then
  if record.ends > now then return record.ends - now end
  fail(name, record, '${LOST}')
end
if record.state == 'dead' then return false end
if record.dueAt > now then return record.dueAt - now end

local group = record.group
local holder = group and call('HGET', K.groups, group)
local other = holder and holder ~= name and recordOf(holder)
if other and other.state == 'running' and other.held == group and other.ends > now then
  call('ZADD', K.parked, 'NX', now, parked)
  call('PEXPIRE', K.parked, 60000)
  return math.min(1000, other.ends - now)
end
if group then call('HSET', K.groups, group, name) end
record.state, record.attempts, record.run, record.held, record.ends = 'running', record.attempts + 1, run, group, now + lease
keep(name, record)
return cjson.encode(record)`,
})

/** False: the job is no longer this worker's. */
export const renewScript = script({
  keys: JOBS_KEYS,
  given: ['name', 'run', 'lease'],
  uses: [jobsLua],
  body: `
local record = recordOf(name)
if not record or record.run ~= run then return 0 end
record.ends = now + lease
keep(name, record)
return 1`,
})

/** In how many milliseconds the ticket is to come again, or nothing; and what was parked for the group and may go on. */
export const endScript = script({
  keys: JOBS_KEYS,
  given: ['name', 'run', 'how', 'reason'],
  uses: [jobsLua],
  body: `
local record = recordOf(name)
if not record or record.run ~= run then return { false, call('ZPOPMIN', K.parked)[1] or false } end
if record.held and call('HGET', K.groups, record.held) == name then call('HDEL', K.groups, record.held) end
record.held = nil
if how == 'failed' then
  fail(name, record, reason)
elseif how == 'back' then
  record.attempts = record.attempts - 1
  wait(record, math.min(record.again or record.dueAt, record.dueAt))
  keep(name, record)
elseif record.again or record.every then
  record.attempts, record.reason = 0, nil
  wait(record, record.again or now + record.every)
  keep(name, record)
else
  forget(name)
  return { false, call('ZPOPMIN', K.parked)[1] or false }
end
local left = record.state == 'waiting' and math.max(0, record.dueAt - now)
return { left, call('ZPOPMIN', K.parked)[1] or false }`,
})

/** The ticket of what was taken away; nothing: there is none, or it runs. */
export const cancelScript = script({
  keys: JOBS_KEYS,
  given: ['name'],
  uses: [jobsLua],
  body: `
local record = recordOf(name)
if not record or record.state == 'running' then return false end
forget(name)
return record.ticket`,
})

/** A queue that had no job for a month. */
export const forgetQueueScript = script({
  keys: JOBS_KEYS,
  given: ['queue', 'month'],
  body: `
local last = tonumber(call('ZSCORE', K.queues, queue) or now)
if last < now - month then call('ZREM', K.queues, queue) end`,
})
