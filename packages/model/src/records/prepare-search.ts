import type { Query } from '../query/query.js'
import type { RecordEngine } from './record-engine.js'

/** Before a search: the index has every row that is there. */
export function prepareSearch({ model }: RecordEngine, { search }: Query): void {
  if (search !== undefined) model.text?.fill()
}
