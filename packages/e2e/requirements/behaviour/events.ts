import { requirements } from '../requirement.js'

export const events = requirements('behaviour.events', {
  change: {
    says: 'A device with an open stream hears change with the name of a source when that changes.',
    state: 'held',
  },
  check: {
    says: 'A device with an open stream hears check when it should pull without knowing what changed.',
    state: 'held',
  },
  ping: { says: 'A device with an open stream hears ping with the fields of the ping.', state: 'held' },
  heartbeat: { says: 'An open stream carries a comment every 25 seconds.', state: 'held' },
  rights: { says: 'A stream whose session ended hears nothing more.', state: 'held' },
  heads: {
    says: 'change and check tell where collections stand, and a device does not pull what it has.',
    state: 'held',
  },
  spread: {
    says: 'Devices that lose their streams together come back spread over as many milliseconds as there are streams.',
    state: 'held',
  },
  'own-only': { says: 'A device does not hear of changes to the partitions of other users.', state: 'held' },
  'logout-at-once': {
    says: 'A logout ends every event stream of its session at once, however many there are.',
    state: 'held',
  },
})
