import { requirements } from '../requirement.js'

export const clients = requirements('rest.clients', {
  read: {
    says: 'GET /rc/v1/clients/<client_id> answers device_type, device_pin and device_port of the client.',
    state: 'held',
  },
  'attributes-serve-push': {
    says: 'device_type and device_pin of a client decide how and where a push message is sent.',
    state: 'held',
  },
  'belongs-to-user': {
    says: "A client belongs to the user who created it and stands in that user's list of clients.",
    state: 'held',
  },
  docnames: {
    says: 'GET …/clients/<client_id>/sources/<source_id>/docnames answers the document keys that serve to synchronize that client.',
    state: 'held',
  },
  'docs.read': {
    says: 'GET …/clients/<client_id>/sources/<source_id>/docs/<doc> answers the content of that source document of the client.',
    state: 'held',
  },
  'docs.write.string': {
    says: 'POST …/clients/<client_id>/sources/<source_id>/docs/<doc> stores a string given as data.',
    state: 'held',
  },
  'docs.write.map': {
    says: 'POST …/clients/<client_id>/sources/<source_id>/docs/<doc> stores a hash of hashes given as data.',
    state: 'held',
  },
  'docs.append': {
    says: 'With append true and an existing source document of the client the data is added to its content.',
    state: 'held',
  },
  'docs.replace': {
    says: 'With append false the data replaces the content of the source document of the client.',
    state: 'held',
  },
})
