import { requirements } from '../requirement.js'

export const users = requirements('behaviour.users', {
  'create.answer': { says: 'Creating a user answers the login.', state: 'held' },
  'create.exists': { says: 'Creating a user with a taken login leaves the existing user as it was.', state: 'held' },
  'create.reserved': { says: "The logins '', * and __shared__ are refused with 422.", state: 'held' },
  'create.password-required': { says: 'Creating a user without a password is refused.', state: 'held' },
  'create.password-optional': {
    says: 'A user may be created without a password where authenticate or a plugin decides on logins.',
    state: 'held',
  },
  'create.attributes': { says: 'Further attributes given at creation are kept with the user.', state: 'held' },
  lock: {
    says: 'A user whom an admin locks out loses every session, and no login succeeds until the lock goes.',
    state: 'held',
  },
  'sign-out': { says: 'DELETE /rc/v1/users/<id>/sessions ends all sessions of the devices of a user.', state: 'held' },
  pages: { says: 'GET /rc/v1/system/users answers whole users, a page at a time.', state: 'held' },
  'list.sorted': { says: 'The list of users holds the logins of device users, sorted.', state: 'held' },
  'list.role': { says: 'The list of users takes a role and then answers the users of that role.', state: 'held' },
  'list.pages': { says: 'The list of users takes after and limit and then answers a page.', state: 'held' },
  'read.shape': {
    says: 'A user is answered with login, role, attributes, the number of clients and the time of creation.',
    state: 'held',
  },
  'read.no-secrets': { says: 'Neither hash, salt nor token of a user appear in any answer.', state: 'held' },
  'update.merges': {
    says: 'Updating a user merges the attributes and leaves the others as they were.',
    state: 'held',
  },
  'update.any-json': { says: "A user's attribute takes any JSON value.", state: 'held' },
  'update.null': { says: 'A null removes an attribute of a user.', state: 'held' },
  'update.password': { says: 'A password among the attributes sets the password of the user.', state: 'held' },
  'update.password-sessions': { says: "Setting the password of a user ends the user's sessions.", state: 'held' },
  'update.login': { says: 'A login among the attributes of an update is refused with 422.', state: 'held' },
  'update.role': { says: 'An admin changes the role of a user by role beside the attributes.', state: 'held' },
  'delete.bars-first': {
    says: 'A deleted user is barred at once, so that no request under way brings anything back.',
    state: 'held',
  },
  'delete.sessions': {
    says: 'Deleting a user ends the sessions and revokes the tokens of that user.',
    state: 'held',
  },
  'delete.partitions': { says: "Deleting a user drops the partitions that are this user's alone.", state: 'held' },
  'delete.shared-stays': { says: 'Deleting a user leaves shared data untouched.', state: 'held' },
  'clients.foreign': {
    says: 'A client of another user is answered with 404 under this user, and is not deleted.',
    state: 'held',
  },
  import: {
    says: 'POST /rc/v1/users/import makes the users that do not exist, and answers which it made and which existed.',
    state: 'held',
  },
  'import.whole': { says: 'An import with an invalid user makes none.', state: 'held' },
  'import.hash': { says: 'A password may come as an scrypt hash.', state: 'held' },
})
