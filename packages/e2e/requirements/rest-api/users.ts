import { requirements } from '../requirement.js'

export const users = requirements('rest.users', {
  create: { says: 'POST /rc/v1/users creates a user from attributes with login and password.', state: 'held' },
  list: { says: 'GET /rc/v1/users lists the registered users.', state: 'held' },
  read: { says: 'GET /rc/v1/users/<user_id> answers information about that user.', state: 'held' },
  update: {
    says: 'PUT /rc/v1/users/<user_id> updates the user-specific attributes given in attributes.',
    state: 'held',
  },
  delete: { says: 'DELETE /rc/v1/users/<user_id> deletes the user.', state: 'held' },
  'delete.devices': { says: 'Deleting a user deletes all devices of that user as well.', state: 'held' },
  'clients.list': { says: 'GET /rc/v1/users/<user_id>/clients lists the client ids of that user.', state: 'held' },
  'clients.delete': {
    says: 'DELETE /rc/v1/users/<user_id>/clients/<client_id> deletes that client of that user and no other.',
    state: 'held',
  },
  docnames: {
    says: 'GET …/users/<user_id>/sources/<source_id>/docnames answers the document keys of the source for that user.',
    state: 'held',
  },
  'docnames.shared': {
    says: 'With * as the user id, docnames answers the keys of the shared documents of the source.',
    state: 'held',
  },
  'docs.read': {
    says: 'GET …/users/<user_id>/sources/<source_id>/docs/<doc> answers the content of that source document of the user.',
    state: 'held',
  },
  'docs.write.string': {
    says: 'POST …/users/<user_id>/sources/<source_id>/docs/<doc> stores a string given as data.',
    state: 'held',
  },
  'docs.write.map': {
    says: 'POST …/users/<user_id>/sources/<source_id>/docs/<doc> stores a hash of hashes given as data.',
    state: 'held',
  },
  'docs.append': {
    says: 'With append true and an existing source document of the user the data is added to its content.',
    state: 'held',
  },
  'docs.replace': {
    says: 'With append false the data replaces the content of the source document of the user.',
    state: 'held',
  },
})
