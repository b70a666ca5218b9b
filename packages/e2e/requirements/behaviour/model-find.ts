import { requirements } from '../requirement.js'

export const modelFind = requirements('behaviour.model-find', {
  part: { says: 'offset with per_page or limit cuts a part out of the objects that find answers.', state: 'held' },
  'map.and': {
    says: 'The entries of a map of conditions are joined by AND where op does not say otherwise.',
    state: 'held',
  },
  'map.or': { says: 'The entries of a map of conditions are joined by OR when op says so.', state: 'held' },
  'sql-text': { says: 'Conditions can be one text of SQL.', state: 'held' },
  'attribute-form': {
    says: 'A condition can name attribute, operator and value by attrib or name, op, and value or values.',
    state: 'held',
  },
  'attribute-form.func': { says: 'func is applied to the attribute before it is compared.', state: 'held' },
  operators: { says: 'The operators =, <, >, <=, >=, <>, LIKE, IN and NOT IN all work.', state: 'held' },
  arrays: { says: 'Conditions can be a list of conditions.', state: 'held' },
  nested: { says: 'Conditions can be nested as conditions with their own op.', state: 'held' },
  null: { says: 'A null in conditions matches what is missing.', state: 'held' },
  'bag-and-fixed': {
    says: 'Every form of condition, order and select gives the same for property-bag and fixed-schema models.',
    state: 'held',
  },
  object: { says: 'object works in conditions, order and select as an attribute does.', state: 'held' },
  'unknown-attribute.bag': {
    says: 'A map with an attribute that a property-bag model never had matches nothing.',
    state: 'held',
  },
  'unknown-attribute.fixed': {
    says: 'An attribute that a fixed model lacks is an error that names it, in SQL, order and select.',
    state: 'held',
  },
  bound: { says: 'Values in conditions are bound, never made part of the SQL.', state: 'held' },
  identifiers: { says: 'Names in conditions, order and select that are not allowed are refused.', state: 'held' },
  'by-sql-reads-only': { says: 'find_by_sql refuses statements that write.', state: 'held' },
  'default-order': { says: 'Objects are in the order of their creation where no order is given.', state: 'held' },
  'directions-missing': {
    says: 'Attributes without a direction in orderdir are in ascending order.',
    state: 'held',
  },
  'direction-unknown': { says: 'An unknown direction is an error.', state: 'held' },
  'comma-text': { says: 'select and order take text with names separated by commas.', state: 'held' },
  'past-the-end': { says: 'A page past the end is an empty list.', state: 'held' },
  'bare-conditions': { says: 'An options object without any known key is the conditions.', state: 'held' },
  'directions-empty': { says: 'An empty direction in orderdir is ascending.', state: 'held' },
})
