import { requirements } from '../requirement.js'

export const reading = requirements('behaviour.reading', {
  'find.default-type': { says: 'find without a query type answers a list, as with all.', state: 'held' },
  'find.first': { says: 'find of first answers one record, or undefined where nothing matches.', state: 'held' },
  'find.id': { says: 'find of an id answers that record, or undefined where there is none.', state: 'held' },
  'find.count': { says: 'find of count answers a number.', state: 'held' },
  make: { says: 'make answers the unsaved record, carrying the attributes it was given.', state: 'held' },
  void: { says: 'Methods documented as Void return undefined.', state: 'held' },
  'push-changes.promise': {
    says: 'pushChanges returns a promise that may be ignored without any unhandled rejection.',
    state: 'held',
  },
  'push-changes.failure': {
    says: 'A failure of pushChanges goes to the notifications and the list of refused changes.',
    state: 'held',
  },
  'partition.enable-sync': {
    says: 'enable of sync moves a model without a set partition from local to user.',
    state: 'held',
  },
  'partition.sync-type': {
    says: 'set of sync_type moves a model without a set partition to user, and back to local with none.',
    state: 'held',
  },
  'partition.set': { says: 'A partition that was set stays when sync_type changes.', state: 'held' },
  'find-all': { says: 'find_all answers a map of object ids to attributes.', state: 'held' },
  'get-source-id': { says: 'get_source_id answers a map with the member source_id.', state: 'held' },
  'get-source-name': { says: 'get_source_name answers a map with the member source_name.', state: 'held' },
  'get-model-property': { says: 'getModelProperty answers a map of name, type and option.', state: 'held' },
  'get-model-property.unknown': {
    says: 'getModelProperty answers null for a property that was not defined.',
    state: 'held',
  },
  vars: {
    says: 'vars answers the attributes with object and source_id beside them, every value as text.',
    state: 'held',
  },
  'append-absent': { says: 'A document written without append is replaced.', state: 'held' },
  'put-source.user-name': {
    says: 'Writing a source with user_name updates it for all users and makes no partition due.',
    state: 'held',
  },
  'put-source.user-name-unknown': {
    says: 'Writing a source with the name of an unknown user is refused with 404 and changes nothing.',
    state: 'held',
  },
  'rebuild-md.same': {
    says: 'push_objects and push_deletes leave the same result with rebuild_md true, false or absent.',
    state: 'held',
  },
  'rebuild-md.cost': {
    says: 'push_objects and push_deletes touch only the rows sent, with or without rebuild_md.',
    state: 'held',
  },
  'rebuild-md.verifies': {
    says: 'An explicit rebuild_md of true verifies count and checksum of the collection in the background.',
    state: 'held',
  },
  'new': { says: 'The constructor of NewORMModel is the method new of the document.', state: 'held' },
  changed: { says: "changed() and model['changed?']() answer the same.", state: 'held' },
})
