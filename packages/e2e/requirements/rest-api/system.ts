import { requirements } from '../requirement.js'

export const system = requirements('rest.system', {
  login: { says: 'POST /rc/v1/system/login answers an API token for a right login and password.', state: 'held' },
  license: { says: 'GET /rc/v1/system/license answers the license information in use.', state: 'held' },
  'reset.body': { says: 'POST /rc/v1/system/reset takes an empty JSON object as its body.', state: 'held' },
  'reset.flushes': { says: 'A reset removes what the database held.', state: 'held' },
  'reset.bootstraps': {
    says: 'A server answers as freshly bootstrapped after a reset, without a restart.',
    state: 'held',
  },
  'appserver.read': {
    says: 'GET /rc/v1/system/appserver answers the address of the plugin backend.',
    state: 'held',
  },
  'appserver.write': { says: 'POST /rc/v1/system/appserver saves the address given as adapter_url.', state: 'held' },
  'stats.metric': {
    says: 'GET /rc/v1/system/stats with metric, start and finish answers the statistics of that key.',
    state: 'held',
  },
  'stats.range': {
    says: 'The range from start to finish bounds which statistics of a metric are answered.',
    state: 'held',
  },
  'stats.range-end': { says: 'The value -1 for finish reaches to the end of the range.', state: 'held' },
  'stats.names': {
    says: 'GET /rc/v1/system/stats with names answers the list of metric keys that match the pattern.',
    state: 'held',
  },
  'stats.glob': {
    says: 'A * in a pattern of metric names stands for any text, so that one pattern selects all keys of the adapter methods of a source.',
    state: 'held',
  },
})
