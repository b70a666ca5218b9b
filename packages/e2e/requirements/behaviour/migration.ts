import { requirements } from '../requirement.js'

export const migration = requirements('behaviour.migration', {
  columns: { says: 'Another schema_version adds, drops and converts columns.', state: 'held' },
  indexes: { says: 'Another schema_version adds and drops indexes.', state: 'planned' },
  transaction: { says: 'A migration that fails leaves the database as it was.', state: 'planned' },
  migrate: { says: 'migrate is called with the old version, the new one and the database.', state: 'planned' },
  'rows-survive': { says: 'Rows survive a migration.', state: 'held' },
  'changes-survive': { says: 'Unsent changes survive a migration.', state: 'held' },
  'same-version': { says: 'The same schema_version migrates nothing.', state: 'planned' },
})
