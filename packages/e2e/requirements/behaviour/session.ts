import { requirements } from '../requirement.js'

export const session = requirements('behaviour.session', {
  cookie: { says: 'A device login sets the cookie sync_session, HttpOnly and SameSite=Lax.', state: 'held' },
  'cookie.secure': { says: 'The session cookie is Secure on https.', state: 'held' },
  bearer: { says: 'A session is accepted as Authorization: Bearer as well as by cookie.', state: 'held' },
  'origin.own': { says: "A request with the cookie and the server's own origin is accepted.", state: 'held' },
  'origin.configured': { says: 'A request with the cookie and a configured origin is accepted.', state: 'held' },
  'origin.exposed': {
    says: 'A page of a configured origin may send Range and If-Range, and read Retry-After, ETag, Date and Content-Range; browsers ask again after two hours.',
    state: 'held',
  },
  'origin.bearer': { says: 'A bearer session is accepted whatever the origin says.', state: 'held' },
  'client-header': { says: 'A device request names its client in the header X-Sync-CLIENT-ID.', state: 'held' },
  'client-unknown': { says: 'A device request that names an unknown client is answered with 404.', state: 'held' },
  'login.answer': { says: 'A device login answers login, user_id, session and expires_at.', state: 'held' },
  'login.user-id': {
    says: 'user_id is random and stays the same for the life of a user, and a user created again under the same login has another.',
    state: 'held',
  },
  logout: { says: 'A logout answers an empty object and ends the session.', state: 'held' },
  'client.create': { says: 'POST /rc/v1/clients answers a new client with its client_id.', state: 'held' },
  'client.register': {
    says: 'Registering a client keeps device_type, device_push_type, device_pin, device_port, phone_id, device_app_id and device_app_version.',
    state: 'held',
  },
  'client.reset': { says: 'Resetting a client makes its next pulls resyncs.', state: 'held' },
  'client.reset-sources': {
    says: 'Resetting a client for some sources leaves the others as they were.',
    state: 'held',
  },
})
