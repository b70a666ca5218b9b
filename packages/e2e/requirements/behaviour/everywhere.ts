import { requirements } from '../requirement.js'

export const everywhere = requirements('behaviour.everywhere', {
  'clock-set-back': {
    says: 'A clock that is set back delays neither a count, a note, a check of rights nor a login: a time that lies ahead counts as past.',
    state: 'held',
  },
  json: { says: 'Answers are application/json; charset=utf-8.', state: 'held' },
  'no-store': { says: 'Answers of the API forbid caches to keep them with Cache-Control no-store.', state: 'held' },
  text: { says: 'String documents and the bare token of a login are text/plain.', state: 'held' },
  'trailing-slash': { says: 'A trailing slash on a path makes no difference.', state: 'held' },
  'percent-decoded': {
    says: 'Ids in paths are percent-decoded, so that ids with slashes, spaces or colons are reachable.',
    state: 'held',
  },
  times: { says: 'Times are ISO 8601 in UTC unless a unit is named.', state: 'held' },
  'unknown-fields': { says: 'Unknown fields of a body are ignored.', state: 'held' },
  'unknown-fields.source-settings': {
    says: 'An unknown member in data of a written source is refused with 422 and a text that names what is allowed.',
    state: 'held',
  },
  'unknown-fields.user': {
    says: 'An unknown member beside attributes of a written user is refused with 422 and a text that names what is allowed.',
    state: 'held',
  },
  'refused-changes-nothing': {
    says: 'A refused request has changed nothing, even where only a part of it was wrong.',
    state: 'held',
  },
  'well-formed': {
    says: 'Half a surrogate pair is refused wherever text enters, in ids, names and values.',
    state: 'held',
  },
  'keep-alive': { says: 'An idle connection is kept for limits.keepAlive seconds, 130 by default.', state: 'held' },
  'empty-store': {
    says: 'A store that came back empty makes the server not ready, with what to do, until it is restored or set up again.',
    state: 'held',
  },
  'forgetful-store': {
    says: 'A store that keeps nothing over a restart is said by the log and by /readyz.',
    state: 'held',
  },
})
