import { defineModel, t } from '@godwit/model'

const attributes = Object.fromEntries(Array.from({ length: 6 }, (_, name) => [`attribute_${name}`, t.string()]))

/** The models of the server's workloads. */
export const items = { Item: defineModel('Item', { sync: 'incremental', storage: 'fixed', attributes }) }
