import { requirements } from '../requirement.js'

export const search = requirements('behaviour.search', {
  text: { says: 'The text searched for reaches the search method of each source asked.', state: 'held' },
  'per-source': { says: 'A search answers results for each of its sources.', state: 'held' },
  offset: { says: 'offset and max_results cut a part out of the results.', state: 'held' },
  blobs: {
    says: 'A row that a search found shows its blobs to its finder, or an event says why not.',
    state: 'held',
  },
  merged: { says: 'Results of a search are put among the rows of the device.', state: 'held' },
  'not-in-collection': { says: 'Results of a search never enter the collection.', state: 'held' },
})
