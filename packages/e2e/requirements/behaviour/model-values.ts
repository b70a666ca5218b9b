import { requirements } from '../requirement.js'

export const modelValues = requirements('behaviour.model-values', {
  'text.integer': { says: "A whole number is answered as text, as in '4'.", state: 'held' },
  'text.boolean': { says: "A Boolean is answered as text, as in 'true'.", state: 'held' },
  'text.float': { says: "A fractional number is answered as text, as in '170.5'.", state: 'held' },
  typed: { says: 'attributes of a record answer typed values.', state: 'held' },
  missing: { says: 'A value that is missing is undefined.', state: 'held' },
  'numbers-compare': { says: 'Declared Integer and Float properties compare and sort as numbers.', state: 'held' },
  'text-compares': { says: 'Undeclared values compare and sort by their text.', state: 'held' },
  'local-misfit': { says: 'A local value that does not fit its declared type is refused.', state: 'held' },
  'server-misfit': {
    says: 'A value from the server that does not fit its declared type is kept as it came.',
    state: 'held',
  },
  'text-of': {
    says: 'A number or Boolean is taken as its text where a model of the document declares String.',
    state: 'held',
  },
})
