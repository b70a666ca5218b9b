import { requirements } from '../requirement.js'

export const modelChanges = requirements('behaviour.model-changes', {
  'has-changes.deleted': { says: 'hasChanges is true for an object that was deleted.', state: 'held' },
  'has-changes.decided': { says: 'hasChanges is false once the server decided the change.', state: 'held' },
  'changed.model': {
    says: 'changed? of a model is true while any of its objects has undecided changes.',
    state: 'held',
  },
  'changed.record': { says: 'changed? of a record is true while that record has undecided changes.', state: 'held' },
  'can-modify.in-request': {
    says: 'canModify is false while a change of the object is in a request.',
    state: 'held',
  },
  'create-then-delete': { says: 'An object created and deleted before it was sent is never sent.', state: 'held' },
  'refusal.rolled-back': { says: 'A refused change that no handler takes is rolled back.', state: 'held' },
  'refusal.listed': { says: 'A refused change that no handler takes is listed by Sdk.refused.', state: 'held' },
  'refusal.handled': {
    says: 'A refused change that a handler takes by the end of the notification is not rolled back.',
    state: 'held',
  },
  'on-refused': { says: 'A handler set with onRefused is called with refused changes.', state: 'held' },
  'create-error.delete': { says: 'onSyncCreateError with delete drops the refused objects.', state: 'held' },
  'create-error.recreate': { says: 'onSyncCreateError with recreate sends the objects again.', state: 'held' },
  'update-error.retry': { says: 'onSyncUpdateError with retry sends the update again.', state: 'held' },
  'update-error.rollback': {
    says: 'onSyncUpdateError with rollback brings the former attributes back.',
    state: 'held',
  },
  'delete-error.retry': { says: 'onSyncDeleteError with retry sends the delete again.', state: 'held' },
  'other-action': { says: 'Any other action of an error handler is an error.', state: 'held' },
  'belongs-to.order': { says: 'Owners are synchronized before what belongs to them.', state: 'held' },
  'belongs-to.rewrite': {
    says: 'A reference to a temporary id becomes the real id when the owner gets it.',
    state: 'held',
  },
  'belongs-to.waits': { says: 'Children of an unsent owner wait until it is sent.', state: 'held' },
  'belongs-to.conditions': {
    says: 'An id in a condition on object or a belongs-to attribute stands for itself, its real id and all that are linked to it.',
    state: 'held',
  },
  'belongs-to.live': { says: 'A new link touches the live queries that name either of its ids.', state: 'held' },
  'belongs-to.several': {
    says: 'Several owners of one attribute are kept, answered by getBelongsTo, and each is followed where the id is of it alone.',
    state: 'held',
  },
  'belongs-to.numbers': {
    says: 'The id of an owner that a backend sends as a number is shown and found as text; stored, and as was, it stays a number.',
    state: 'held',
  },
  'links-of-user': { says: 'What is known of temporary ids outlasts a reset and goes with the user.', state: 'held' },
  'get-belongs-to': { says: 'getBelongsTo answers a list, or null where there is no relationship.', state: 'held' },
  'create-error.deleted': {
    says: 'recreate does not bring back what the app deleted before it heard of the refusal.',
    state: 'held',
  },
  'not-synced': { says: 'hasChanges is false for a model that does not sync.', state: 'held' },
})
