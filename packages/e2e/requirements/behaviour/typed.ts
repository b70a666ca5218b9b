import { requirements } from '../requirement.js'

export const typed = requirements('behaviour.typed', {
  rows: {
    says: 'A row of a typed model is frozen and has its id and every declared attribute, by the names of the app, and nothing else.',
    state: 'held',
  },
  select: { says: 'select narrows the row to its id and what it names.', state: 'held' },
  required: {
    says: 'create of a typed model refuses an object that lacks a required attribute with record_invalid, and leaves undefined out.',
    state: 'held',
  },
  'required.app': {
    says: 'What is required binds what the app makes: not what the server sends, nor a refused change that is made again.',
    state: 'held',
  },
  update: {
    says: 'update leaves alone what is left out or undefined; null removes an optional attribute and resets one with a default.',
    state: 'held',
  },
  conditions: {
    says: 'Typed conditions are values, null, operators, or, and, sql, and conditions on related objects; anything else is query_invalid, an undefined value too.',
    state: 'held',
  },
  with: { says: 'with brings the rows that relations name, nested, those of the same model too.', state: 'held' },
  links: {
    says: 'with and conditions across relations follow links of temporary ids, and links of these, as get does.',
    state: 'held',
  },
  live: {
    says: 'A live query is asked again for rows that it joins or lacks and for new links, and for nothing else.',
    state: 'held',
  },
  'live.snapshot': {
    says: 'live is a snapshot that stays the same object until the rows change, and a subscription.',
    state: 'held',
  },
  many: {
    says: 'updateMany, destroyMany and destroyAll change what fits in one transaction and answer how many.',
    state: 'held',
  },
  unique: {
    says: 'A unique index of a typed model binds values that are stored and fit, not defaults that only show.',
    state: 'held',
  },
  'server-names': {
    says: 'Tables, changes and the wire have the names that serverName gives; rows, conditions and sdk.sql have those of the app.',
    state: 'held',
  },
  shown: {
    says: 'Conditions, order, counts, live queries, with, search and SQL see what a row shows, whatever the server sent; saving what it shows is no change.',
    state: 'held',
  },
  misfits: {
    says: 'How many values do not fit their declared types stands in debug, and an event tells of those that came.',
    state: 'held',
  },
  'json.checked': { says: 'A value of t.json that its schema or guard refuses is not stored.', state: 'held' },
  'json.at-once': {
    says: 'A schema that answers by a promise is definition_invalid, at its declaration or where it first does.',
    state: 'held',
  },
  'blobs.bytes': {
    says: 'A typed blob takes bytes where the platform writes files at once, and is stored like one given by its path.',
    state: 'held',
  },
  'blobs.absent': {
    says: 'A path or hash of a blob that is not on the device is refused, unless the row has that blob already.',
    state: 'held',
  },
  was: { says: 'What is sent as the former value is the stored one, not the one shown.', state: 'held' },
  search: {
    says: 'search finds rows by the beginnings of words in the texts of textSearch, accents and case aside, the best first.',
    state: 'held',
  },
  'search.rebuilt': {
    says: 'A definition with other texts to search, or other defaults of them, finds by these from then on.',
    state: 'held',
  },
  'search.pass': { says: 'A search during a first sync misses no row that is here.', state: 'held' },
  sql: {
    says: 'sdk.sql reads views with the names of models and attributes, live if asked for, and refuses whatever writes.',
    state: 'held',
  },
  refusals: { says: 'A refused change can be retried, edited or dismissed.', state: 'held' },
  definition: {
    says: 'defineModel refuses unfinished attributes, reserved names, two attributes or relations of one name, indexes over nothing, and defaults that do not fit.',
    state: 'held',
  },
  'one-definition': {
    says: 'Another definition of a typed model is refused, and its handle of NewORMModel is bound by its types.',
    state: 'held',
  },
  inference: {
    says: 'The types of rows, of create and update, conditions and relations are inferred, and typical mistakes do not compile.',
    state: 'held',
  },
  editors: {
    says: 'Editors offer attributes, relations, conditions and models of an app that installed the packages, and tell typical mistakes at their tokens.',
    state: 'held',
  },
})
