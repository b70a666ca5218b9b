import { indexLua } from './names.js'
import { head, wholeHead } from './objects.js'
import { script } from './script.js'

/** Creates the collection if it does not exist. Returns its head, as alternating names and values, and whether it is indexed. */
export const openScript = script({
  keys: ['head', 'batches'],
  given: ['epoch', 'mark'],
  uses: [head, wholeHead, indexLua],
  body: `
findOrMake(epoch, mark)
return { wholeHead(), isIndexed() }`,
})

/** Reads the head, as alternating names and values; an empty list without a collection. */
export const headScript = script({ keys: ['head'], uses: [wholeHead], body: 'return wholeHead()' })
