import { whenPassedOn } from './decided-creates.js'
import { journalScript } from './journal.js'
import { indexLua } from './names.js'

const judgeLua = `
local function verdictsOn(client, user, mutations)
  local keys, places, verdicts = {}, {}, {}
  local highest = clientOf(client).highest
  for index, one in ipairs(mutations) do
    local place, known = places[one.key], keys[one.number] or getField(K.places, under(client) .. one.number)
    if not place then
      local entry = entryOf(one.key)
      place = entry and { entry.client, entry.user, entry.number }
    end
    if (known and known ~= one.key) or (place and place[2] ~= user) then return nil, { 'forked' } end
    if not known and one.number ~= highest + 1 then return nil, { 'gap', highest + 1 } end
    highest = math.max(highest, one.number)
    verdicts[index] = not place and 'new' or (place[1] == client and place[3] == one.number) and 'known' or 'moved'
    keys[one.number], places[one.key] = one.key, { client, user, one.number }
  end
  return verdicts
end

-- Returns why the push as a whole is refused, or nothing.
local function refusal(client, epoch, through)
  local epochNow = field('epoch')
  if epochNow ~= epoch then return { 'epoch', epochNow or '' } end
  local counts = clientOf(client)
  if through < counts.acknowledged or through > counts.outcomes then return { 'forked' } end
end
`

/** Checks the keys and numbers of a push that is accepted in parts. Returns the reason to refuse it, as `judgeAcceptance` does, or an empty list. */
export const judgeScript = journalScript({
  given: ['client', 'user', 'epoch', 'acknowledged'],
  uses: [judgeLua],
  body: `
${whenPassedOn}
local mutations = {}
for at = REST, #ARGV, 2 do mutations[#mutations + 1] = { key = ARGV[at], number = tonumber(ARGV[at + 1]) } end
local refused = refusal(client, epoch, tonumber(acknowledged))
if refused then return refused end
local _, why = verdictsOn(client, user, mutations)
return why or {}`,
})

/**
 * Checks all mutations as `judgeAcceptance` does, acknowledges outcomes, then accepts each mutation. If the outcomes exceed one step, it only
 * acknowledges.
 *
 * A push is accepted or refused as a whole, since the numbers of a client have no gaps: a mutation that is known by its key is answered from the journal,
 * a new one needs the next number. Example: the client has 1 to 3 accepted. It sends 3 and 4: 3 is answered from the journal, 4 is accepted. It sends 3
 * and 6: the answer is `gap` with 4, nothing is accepted, and the device sends 4 and 5 too.
 */
export const acceptScript = journalScript({
  given: ['client', 'user', 'epoch', 'acknowledged', 'idempotent', 'contentless'],
  uses: [judgeLua, indexLua],
  body: `
${whenPassedOn}
local function mutationsGiven()
  local list, at = {}, REST
  while ARGV[at] do
    local one = { key = ARGV[at], number = tonumber(ARGV[at + 1]), operation = ARGV[at + 2], object = ARGV[at + 3] }
    one.seen, one.sent = tonumber(ARGV[at + 4]) or false, ARGV[at + 5] == '1'
    for place, name in ipairs({ 'attributes', 'was', 'changed', 'rest', 'wasDigests' }) do
      local text = ARGV[at + 5 + place]
      one[name] = text ~= '' and text
    end
    local count = tonumber(ARGV[at + 11])
    one.owners = count > 0 and { unpack(ARGV, at + 12, at + 11 + count) }
    list[#list + 1] = one
    at = at + 12 + count
  end
  return list
end

local function count(entry)
  local counts = clientOf(client)
  counts.highest = math.max(counts.highest, entry.number)
  saveClient(client, counts)
  setField(K.places, under(client) .. entry.number, entry.key)
end

-- Moves an entry to another client or number; its outcome gets a new number there.
local function move(entry, number)
  local outcome = entry.outcome
  local isUndecided = entry.state ~= 'decided'
  takeOutcome(entry)
  if isUndecided then leave(entry) end
  entry.client, entry.number = client, number
  count(entry)
  if outcome then giveOutcome(entry, outcome) end
  if isUndecided then enter(entry) end
  save(entry)
end

local function decidedLinks(one)
  local links = {}
  for _, owner in ipairs(one.owners or {}) do
    local create = createOf(owner)
    if ownerStanding(create) == 'decided' then links[owner] = create.outcome[3] or owner end
  end
  return links
end

local function add(one)
  local isInDoubt = one.sent and idempotent ~= '1'
  local links = decidedLinks(one)
  if next(links) then rewrite(one, links) end
  if contentless == '1' then one.attributes, one.was, one.wasDigests, one.changed = false, false, false, false end
  one.client, one.user, one.contentless, one.state = client, user, contentless == '1', 'queued'
  one.sequence, one.attempts, one.fence, one.leasedUntil = numberOf('sequence') + 1, 0, 0, 0
  setField(K.head, 'sequence', one.sequence)
  enter(one)
  if one.operation == 'create' then
    local keys = createsOf(one.object)
    keys[#keys + 1] = one.key
    saveCreates(one.object, keys)
  end
  count(one)
  if isInDoubt then doubt(one) else save(one) end
end

local through = tonumber(acknowledged)
local refused, verdicts = refusal(client, epoch, through), nil
if refused then return refused end
local mutations = mutationsGiven()
verdicts, refused = verdictsOn(client, user, mutations)
if refused then return refused end
if not acknowledge(client, through) then return { 'acknowledged' } end
local answer = { 'entries', isListed(), 0, field('queriedAt') }
for index, one in ipairs(mutations) do
  local known = entryOf(one.key)
  if not known then add(one) elseif verdicts[index] == 'moved' then move(known, one.number) end
  answer[#answer + 1] = listOf(entryOf(one.key))
end
answer[3] = clientOf(client).outcomes
return answer`,
})
