import { requirements } from '../requirement.js'

export const push = requirements('behaviour.push', {
  members: {
    says: 'A mutation carries number, key, operation, object, attributes and was, and where it applies changed, seen, owners and sent.',
    state: 'held',
  },
  'limit.count': { says: 'A push with more than 500 mutations is refused.', state: 'held' },
  'limit.bytes': { says: 'A push of more than 1 MiB is refused.', state: 'held' },
  answer: { says: 'A push answers the outcomes of its mutations and the epoch.', state: 'held' },
  'applied.create': {
    says: 'A create that the source accepts is applied, with a link to the id that the source gave.',
    state: 'held',
  },
  'applied.update': { says: 'An update that the source accepts is applied.', state: 'held' },
  'applied.delete': { says: 'A delete that the source accepts is applied.', state: 'held' },
  refused: { says: 'A mutation that the source refuses has the outcome refused with its error.', state: 'held' },
  conflict: { says: 'A mutation that lost against another change has the outcome conflict.', state: 'held' },
  gone: { says: 'An update of a removed object has the outcome gone.', state: 'held' },
  queued: { says: 'A mutation not decided yet has the outcome queued.', state: 'held' },
  'in-doubt': {
    says: 'A mutation whose call ended without a known result has the outcome in_doubt.',
    state: 'held',
  },
  'depends-on-refused': {
    says: 'A mutation that needs an object whose create was refused has the outcome depends_on_refused.',
    state: 'held',
  },
  once: {
    says: 'A push sent twice has the effect of one, and the second has the recorded outcomes for an answer.',
    state: 'held',
  },
  'gap-changes-nothing': { says: 'A push with a gap in its numbers runs none of its mutations.', state: 'held' },
  'fork-recovers': {
    says: 'A device whose numbers forked takes a new client id and sends its changes under that.',
    state: 'held',
  },
  'epoch-recovers': {
    says: 'A device whose epoch changed starts over and its unsent changes are not lost.',
    state: 'held',
  },
  version: { says: 'An outcome carries the version at which it was decided.', state: 'held' },
  attributes: {
    says: 'An outcome carries attributes where the object is other than the device has it.',
    state: 'held',
  },
  number: { says: 'Outcomes are numbered in the order of decision.', state: 'held' },
  'no-id': { says: 'A create whose adapter returns no id keeps the temporary id.', state: 'held' },
  normalised: {
    says: 'Attributes that a source returns for a create or an update become those of the object.',
    state: 'held',
  },
  'others-not-blocked': { says: 'A refused mutation does not hold up mutations of other objects.', state: 'held' },
})
