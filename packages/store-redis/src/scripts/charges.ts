import { script } from './script.js'

/** The field of the total; every blob's name is longer. */
export const TOTAL = 'total'

/** Charges a blob to the account, or updates its bytes. Returns 0 if the account has no room. */
export const addChargeScript = script({
  keys: ['bytes', 'since'],
  given: ['blob', 'bytes', 'limit'],
  body: `
local before = tonumber(call('HGET', K.bytes, blob) or 0)
local total = tonumber(call('HGET', K.bytes, '${TOTAL}') or 0)
if limit ~= '' and total > 0 and total - before + bytes > tonumber(limit) then return 0 end
call('HSET', K.bytes, blob, bytes)
call('HINCRBY', K.bytes, '${TOTAL}', bytes - before)
call('ZADD', K.since, now, blob)
return 1`,
})

/** Ends the charge of a blob. Returns 0 if the account is not charged for it. */
export const endChargeScript = script({
  keys: ['bytes', 'since'],
  given: ['blob'],
  body: `
local bytes = call('HGET', K.bytes, blob)
if not bytes then return 0 end
call('HDEL', K.bytes, blob)
call('ZREM', K.since, blob)
if call('HINCRBY', K.bytes, '${TOTAL}', -bytes) <= 0 then call('HDEL', K.bytes, '${TOTAL}') end
return 1`,
})
