import { script } from './script.js'

/** Rows follow, each as JSON; they stand in a list where their number says. 0: the first is not the one after the head. */
export const appendAuditScript = script({
  keys: ['head', 'rows'],
  given: ['first', 'last', 'hash'],
  body: `
if tonumber(first) ~= tonumber(call('HGET', K.head, 'number') or 0) + 1 then return 0 end
for at = REST, #ARGV do call('RPUSH', K.rows, ARGV[at]) end
call('HSET', K.head, 'number', last, 'hash', hash)
return 1`,
})
