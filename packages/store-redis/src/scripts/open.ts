import { indexLua } from './names.js'
import { head } from './objects.js'
import { script } from './script.js'

/** The head as a list of names and values, after making the collection if it does not exist; and whether the index names it. */
export const openScript = script({
  keys: ['head', 'batches'],
  given: ['epoch', 'mark'],
  uses: [head, indexLua],
  body: `
findOrMake(epoch, mark)
return { call('HGETALL', K.head), isIndexed() }`,
})
