import { requirements } from '../requirement.js'

export const migration = requirements('behaviour.migration', {
  columns: { says: 'Another schema_version adds, drops and converts columns.', state: 'held' },
  indexes: { says: 'Another schema_version adds and drops indexes.', state: 'held' },
  transaction: { says: 'A migration that fails leaves the database as it was.', state: 'held' },
  migrate: { says: 'migrate is called with the old version, the new one and the database.', state: 'held' },
  'rows-survive': { says: 'Rows survive a migration.', state: 'held' },
  'changes-survive': { says: 'Unsent changes survive a migration.', state: 'held' },
  'same-version': { says: 'The same schema_version calls no migrate.', state: 'held' },
})
