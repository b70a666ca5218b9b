import { CLOCK_SLACK } from '@godwit/store'
import { script } from './script.js'

/** The keys of `JobsKey`, in the order of the scripts' arguments. */
export const JOBS_KEYS = ['records', 'names', 'dead', 'groups', 'queues', 'parked'] as const

/** The reason of an attempt whose worker was lost. */
export const LOST = 'Its worker was lost while it ran.'

/**
 * The record holds the state of a job; BullMQ carries only tickets for it. A ticket is valid if the job is waiting and due, and its group is free;
 * for a running job only the ticket in its record is valid.
 *
 * A ticket may be lost or delivered twice, so it decides nothing: `beginScript` asks the record. Example: the job `drain ada` waits with ticket t1 for 60
 * seconds and is enqueued again, due now: the record gets ticket t2. When BullMQ delivers t1 a minute later, the record names another ticket, or is
 * gone, and the worker drops t1.
 */
const jobsLua = `
local function recordOf(name)
  local text = call('HGET', K.records, name)
  local record = text and cjson.decode(text)
  if not record or (record.writtenAt or 0) <= now + ${CLOCK_SLACK} then return record end
  -- Written while the clock was ahead: due now. A running job keeps a short lease, as its worker may still exist.
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

-- Schedules the next attempt; without attempts left, the next repetition; without one, the job is dead.
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
 * Returns the ticket to send, its delay in milliseconds and the present time; announces a new queue on the channel. A waiting job keeps its ticket
 * unless it becomes due earlier; a running job keeps its ticket, which its worker redelivers.
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
  -- BullMQ would delay the old ticket by as much as the clock was set back.
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
 * Returns the record if the job may start with this ticket, or the milliseconds until redelivery, or false if the ticket is invalid. Further keys are
 * those that BullMQ keeps for an empty queue: they expire two months after its last job.
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
  -- The process that named another ticket may have died before sending it, so this one is accepted.
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

/** Extends the lease of a run. Returns 0 if the run no longer has the job. */
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

/** Ends a run. Returns the milliseconds until its ticket's redelivery (false: none), and a ticket parked for the group. */
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

/** Cancels a job and returns its ticket; false if there is none or it is running. */
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

/** Forgets a queue that had no job for 30 days. */
export const forgetQueueScript = script({
  keys: JOBS_KEYS,
  given: ['queue', 'month'],
  body: `
local last = tonumber(call('ZSCORE', K.queues, queue) or now)
if last < now - month then call('ZREM', K.queues, queue) end`,
})
