const MODELS = 60
const KINDS = [
  't.string()',
  "t.string().default('')",
  't.integer().optional()',
  't.float()',
  't.boolean().default(false)',
  't.timestamp()',
  "t.enum(['a', 'b', 'c']).optional()",
  't.json<readonly string[]>().default([])',
  't.string().optional()',
  't.integer()',
]
const counted = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => line(at)).join('\n')

/** Returns the source of a model with 30 attributes, 4 of them relations. */
const modelOf = (model: number): string => `
const M${model} = defineModel('M${model}', {
  sync: 'incremental',
  attributes: {
    ${counted(26, at => `a${at}: ${KINDS[at % KINDS.length]},`)}
    ${counted(4, at => `r${at}Id: t.belongsTo('M${(model * 7 + at * 11) % MODELS}', { as: 'r${at}' })${at > 1 ? '.optional()' : ''},`)}
  },
})`

const queryOf = (model: number): string => `
  sdk.models.M${model}.find({
    with: { r0: true, r1: { select: ['a0'], with: { r2: true } } },
    conditions: { a2: { '>=': 4 }, r0: { a0: 'x' } },
    order: { a5: 'desc' },
  })[0]?.r1?.r2?.a3.toFixed()`

/** The source of an app with 60 models of 30 attributes, 4 of them relations, and a query of each model. */
export const MANY = `
import { openSdk } from '../node.js'
import { defineModel } from './define-model.js'
import { t } from './t.js'
${counted(MODELS, modelOf)}
const all = { ${Array.from({ length: MODELS }, (_, at) => `M${at}`).join(', ')} }
type All = typeof all
interface AppModels extends All {}
const models: AppModels = all
export async function ask(): Promise<void> {
  const sdk = await openSdk({ directory: 'data', server: 'http://localhost', models })
${counted(MODELS, queryOf)}
}`
