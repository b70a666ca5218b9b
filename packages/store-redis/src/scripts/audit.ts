import { script } from './script.js'

/** Appends rows of JSON to a list in which their position is their number. Returns 0 if the first does not follow the head. */
export const appendAuditScript = script({
  keys: ['head', 'rows'],
  given: ['first', 'last', 'hash'],
  body: `
if tonumber(first) ~= tonumber(call('HGET', K.head, 'number') or 0) + 1 then return 0 end
for at = REST, #ARGV do call('RPUSH', K.rows, ARGV[at]) end
call('HSET', K.head, 'number', last, 'hash', hash)
return 1`,
})
