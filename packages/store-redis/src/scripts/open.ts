import { indexLua } from './names.js'
import { head } from './objects.js'
import { script } from './script.js'

/** Creates the collection if it does not exist. Returns its head, as alternating names and values, and whether it is indexed. */
export const openScript = script({
  keys: ['head', 'batches'],
  given: ['epoch', 'mark'],
  uses: [head, indexLua],
  body: `
findOrMake(epoch, mark)
return { call('HGETALL', K.head), isIndexed() }`,
})
