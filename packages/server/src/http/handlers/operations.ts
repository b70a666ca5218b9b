import type { Routes } from '@godwit/protocol'
import { explain } from '../../operations/explain.js'
import type { Handlers } from '../handler.js'

export const operationsHandlers: Handlers<Routes['operations']> = {
  explain: (engine, { query }) => explain(engine, query),
}
