import { requirements } from '../requirement.js'

export const conventions = requirements('rest.conventions', {
  'json-body': {
    says: 'Every route that takes a body accepts it as JSON sent with a JSON content type.',
    state: 'planned',
  },
  'path-parameters': {
    says: 'A path parameter addresses exactly the user, client, source or document that it names.',
    state: 'planned',
  },
  'query-parameters': {
    says: 'Parameters of a read are taken from the query string of the address.',
    state: 'planned',
  },
  'object-map': {
    says: 'Object data is a map of object ids to maps of attributes, and reads back with the same ids, names and values as written.',
    state: 'planned',
  },
  success: {
    says: 'A successful call answers status 200 with the requested data where there is any.',
    state: 'planned',
  },
  'prefix-administration': { says: 'The administration routes answer under the prefix /rc/v1.', state: 'planned' },
  'prefix-plugin': {
    says: 'The push operations of a backend plugin answer under the prefix /app/v1.',
    state: 'planned',
  },
})
