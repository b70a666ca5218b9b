import { changing, OBJECT_KEYS } from './objects.js'
import { script } from './script.js'

/** One batch: seven arguments per object, as `applyChanges` takes them. When it is guarded only in the expected epoch; else the collection is made if there is none. */
export const applyScript = script({
  keys: OBJECT_KEYS,
  given: ['isGuarded', 'expected', 'epoch', 'firstMark', 'mark'],
  uses: [changing],
  body: `
if isGuarded == '' then
  findOrMake(epoch, firstMark)
elseif field('epoch') ~= expected then
  return false
end
local changes = {}
for at = REST, #ARGV, 7 do
  changes[#changes + 1] = { unpack(ARGV, at, at + 6) }
end
local changed = applyChanges(changes, mark)
local state = call('HMGET', K.head, 'version', 'mark', 'epoch', 'count', 'indexed')
return { changed, tonumber(state[1]), state[2], state[3], tonumber(state[4]), state[5] }`,
})
