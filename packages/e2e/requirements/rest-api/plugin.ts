import { requirements } from '../requirement.js'

export const plugin = requirements('rest.plugin', {
  'push-objects.adds': { says: 'push_objects adds objects that the source did not have.', state: 'held' },
  'push-objects.updates': { says: 'push_objects updates objects that the source already has.', state: 'held' },
  'push-objects.delivered': { says: 'Devices receive pushed objects at their next sync.', state: 'held' },
  'push-objects.rebuild-md.default': {
    says: 'push_objects without rebuild_md leaves the whole metadata document up to date.',
    state: 'held',
  },
  'push-objects.rebuild-md.false': {
    says: 'push_objects with rebuild_md false makes only the necessary updates.',
    state: 'held',
  },
  'push-deletes.deletes': { says: 'push_deletes deletes the objects whose ids are given.', state: 'held' },
  'push-deletes.delivered': {
    says: 'Devices drop objects deleted by push_deletes at their next sync.',
    state: 'held',
  },
  'push-deletes.rebuild-md.default': {
    says: 'push_deletes without rebuild_md leaves the whole metadata document up to date.',
    state: 'held',
  },
  'push-deletes.rebuild-md.false': {
    says: 'push_deletes with rebuild_md false makes only the necessary updates.',
    state: 'held',
  },
  'fast-insert.inserts': { says: 'fast_insert adds the given objects to the stored set.', state: 'held' },
  'fast-insert.no-check': {
    says: 'fast_insert is accepted whether or not an object existed before.',
    state: 'held',
  },
  'fast-update.replaces': {
    says: 'fast_update removes the previous state given as delete_data and adds the new state given as data.',
    state: 'held',
  },
  'fast-update.previous-state': {
    says: 'An old attribute that delete_data leaves out stays stored after fast_update.',
    state: 'held',
  },
  'fast-update.appends': {
    says: 'fast_update without previous data for an attribute adds that attribute to the object.',
    state: 'held',
  },
  'fast-update.removes-attribute': {
    says: 'fast_update removes a single attribute that delete_data names and data does not.',
    state: 'held',
  },
  'fast-delete.deletes': { says: 'fast_delete given all data of an object removes the object.', state: 'held' },
  'fast-delete.partial': { says: 'Data that fast_delete is not given remains stored.', state: 'held' },
  'fast.delivered': { says: 'Devices receive what the fast operations changed at their next sync.', state: 'held' },
  'fast.no-integrity-checks': {
    says: 'The fast operations accept data that does not agree with what is stored.',
    state: 'held',
  },
  'ping-triggers-sync': {
    says: 'A ping after a push makes a device synchronize the source and receive what was pushed.',
    state: 'held',
  },
})
