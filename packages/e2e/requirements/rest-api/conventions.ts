import { requirements } from '../requirement.js'

export const conventions = requirements('rest.conventions', {
  'json-body': {
    says: 'Every route that takes a body accepts it as JSON sent with a JSON content type.',
    state: 'held',
  },
  'path-parameters': {
    says: 'A path parameter addresses exactly the user, client, source or document that it names.',
    state: 'held',
  },
  'query-parameters': {
    says: 'Parameters of a read are taken from the query string of the address.',
    state: 'held',
  },
  'object-map': {
    says: 'Object data is a map of object ids to maps of attributes, and reads back with the same ids, names and values as written.',
    state: 'held',
  },
  success: {
    says: 'A successful call answers status 200 with the requested data where there is any.',
    state: 'held',
  },
  'prefix-administration': { says: 'The administration routes answer under the prefix /rc/v1.', state: 'held' },
  'prefix-plugin': {
    says: 'The push operations of a backend plugin answer under the prefix /app/v1.',
    state: 'held',
  },
})
