import { decidedCreatesLua } from './decided-creates.js'
import { entries, entryPackingLua } from './entries.js'
import { atTheEnd } from './hash-access.js'
import { json } from './json.js'
import { keptHead, OBJECT_KEYS } from './objects.js'
import { order } from './order.js'
import { outcomes } from './outcomes.js'
import { type Script, script } from './script.js'

export const JOURNAL_KEYS = [
  ...OBJECT_KEYS,
  'clients',
  'places',
  'mutations',
  'undecided',
  'byObject',
  'byOwner',
  'creates',
  'given',
  'passing',
] as const

/** Creates by temporary id, and their effect on mutations that name them; the Lua version of `owners.ts` in store/history. */
export const creates = `
local function createsOf(temporary)
  local packed = getField(K.creates, temporary)
  return packed and cmsgpack.unpack(packed) or {}
end

local function saveCreates(temporary, keys)
  setField(K.creates, temporary, #keys > 0 and cmsgpack.pack(keys))
end

-- Two devices may have created the same temporary id: the later create wins.
local function createOf(temporary)
  local keys = createsOf(temporary)
  return keys[1] and entryOf(keys[#keys])
end

local function ownerStanding(create)
  if not create then return 'failed' end
  if create.state ~= 'decided' then return 'undecided' end
  return create.outcome and create.outcome[2] == 'applied' and 'decided' or 'failed'
end
`

/** The Lua version of `rewrite.ts` in store/history. */
const rewriteLua = String.raw`
local ESCAPES = { ['"'] = '\\"', ['\\'] = '\\\\', ['\b'] = '\\b', ['\f'] = '\\f', ['\n'] = '\\n', ['\r'] = '\\r', ['\t'] = '\\t' }
local function quoted(text)
  local inner = string.gsub(text, '[%z\1-\31"\\]', function(unit)
    return ESCAPES[unit] or string.format('\\u%04x', byte(unit))
  end)
  return '"' .. inner .. '"'
end

local function relinked(text, links)
  if not text then return false end
  local names, values = members(text)
  for _, name in ipairs(names) do values[name] = links[values[name]] or values[name] end
  return objectText(names, values)
end

-- Replaces temporary ids with real ones.
local function rewrite(entry, links)
  local texts, left = {}, {}
  for temporary, real in pairs(links) do texts[quoted(temporary)] = quoted(real) end
  for _, owner in ipairs(entry.owners or {}) do
    if not links[owner] then left[#left + 1] = owner end
  end
  entry.object = links[entry.object] or entry.object
  entry.attributes, entry.was = relinked(entry.attributes, texts), relinked(entry.was, texts)
  entry.owners = #left > 0 and left
end
`

const journal = [
  json,
  atTheEnd,
  keptHead,
  entries,
  entryPackingLua,
  order,
  creates,
  rewriteLua,
  outcomes,
  decidedCreatesLua,
].join('\n')

interface JournalScript {
  readonly given?: readonly string[]
  /** Fragments beside the journal's. */
  readonly uses?: readonly string[]
  /** Its result is returned after all pending writes. */
  readonly body: string
}

/** A script with all fragments of the journal. */
export const journalScript = ({ given = [], uses = [], body }: JournalScript): Script<(typeof JOURNAL_KEYS)[number]> =>
  script({ keys: JOURNAL_KEYS, given, uses: [journal, ...uses], body: withPendingWrites(body) })

/** Wraps a body so that pending changes are written before it returns. */
export const withPendingWrites = (body: string): string => `
local function act()
${body.trim()}
end
local answer = act()
writeAll()
return answer`
