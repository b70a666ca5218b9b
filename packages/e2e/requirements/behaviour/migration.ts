import { requirements } from '../requirement.js'

export const migration = requirements('behaviour.migration', {
  columns: { says: 'Another schema_version adds, drops and converts columns.', state: 'held' },
  indexes: { says: 'Another schema_version adds and drops indexes.', state: 'held' },
  transaction: { says: 'A migration that fails leaves the database as it was.', state: 'held' },
  migrate: { says: 'migrate is called with the old version, the new one and the database.', state: 'held' },
  'by-id': { says: 'onMigrate yields objects as {id, attributes}.', state: 'held' },
  'rows-survive': { says: 'Rows survive a migration.', state: 'held' },
  'changes-survive': { says: 'Unsent changes survive a migration.', state: 'held' },
  'rolled-back': {
    says: 'A definition of a lower schema version that lacks only additions opens, reads and writes; columns, models and indexes that it does not know stay.',
    state: 'held',
  },
  'rolled-back.newer': {
    says: 'Any other definition of a lower schema version reads what the file holds and syncs; local writes are refused with schema_newer.',
    state: 'held',
  },
  'rolled-back.orm': { says: 'NewORMModel opens a lower schema_version in the same way.', state: 'held' },
  'rolled-back.owners': {
    says: 'A change that names an unsent object of a model which an older version of the app does not open waits for it.',
    state: 'held',
  },
  'same-version': { says: 'The same schema_version calls no migrate.', state: 'held' },
})
