import type { Query } from '../query/query.js'
import type { Engine } from './engine.js'

/** Before a search: the index has every row that is there. */
export function prepareSearch({ model }: Engine, { search }: Query): void {
  if (search !== undefined) model.text?.fill()
}
