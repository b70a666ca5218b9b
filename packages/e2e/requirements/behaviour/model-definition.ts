import { requirements } from '../requirement.js'

export const modelDefinition = requirements('behaviour.model-definition', {
  'first-use': { says: 'A model made with new is defined at its first use.', state: 'held' },
  'init-model': { says: 'initModel defines a model at once.', state: 'held' },
  'add-model': { says: 'Sdk.addModel defines a model by a function that gets it.', state: 'held' },
  'get-model-unknown': { says: 'getModel of an unknown name is null.', state: 'held' },
  'set.text': { says: "set takes values as text, as in '5', 'true' and '1.0'.", state: 'held' },
  'set.values': { says: 'set takes typed values.', state: 'held' },
  'set.unknown-name': { says: 'set of an unknown name is an error that lists the names allowed.', state: 'held' },
  'set.unknown-value': { says: 'set of an unknown value is an error that lists the values allowed.', state: 'held' },
  'types.case': { says: 'The types of field properties may be written in any case.', state: 'held' },
  'sync-priority.bound': { says: 'A sync_priority below 1 is refused.', state: 'held' },
  'schema-version.number': { says: 'Values of schema_version are compared as numbers.', state: 'held' },
  'source-id.user': { says: 'Source ids of the partition user count from 1.', state: 'held' },
  'source-id.app': { says: 'Source ids of the partition app count from 20001.', state: 'held' },
  'source-id.local': { says: 'Source ids of the partition local count from 40001.', state: 'held' },
  associations: { says: 'associations lists child and attribute in turn, separated by commas.', state: 'held' },
  'associations.at-once': {
    says: 'associations is right as soon as setBelongsTo returned.',
    state: 'held',
  },
  'empty-type': { says: "The type '' of setModelProperty is String.", state: 'held' },
})
