// Runs steps given as JSON on a device, and prints its resulting rows. Has kill points before and after each commit of its database.
import { defineModel, t } from '@godwit/model'
import { openSdk } from '@godwit/model/node'
import Database from 'better-sqlite3'
import { point } from './kill-at.mjs'

const [directory, server, steps = '[]'] = process.argv.slice(2)

const { prepare } = Database.prototype
Database.prototype.prepare = function (sql) {
  const statement = prepare.call(this, sql)
  if (sql !== 'COMMIT') return statement
  const run = statement.run.bind(statement)
  statement.run = () => {
    point('commit', 'before')
    const result = run()
    point('commit', 'after')
    return result
  }
  return statement
}

const attributes = { note: t.string().optional(), count: t.integer().optional() }
const models = {
  Safe: defineModel('Safe', { sync: 'incremental', attributes }),
  Unsafe: defineModel('Unsafe', { sync: 'incremental', storage: 'fixed', attributes }),
}
const sdk = await openSdk({ directory, server, models })
sdk.pollInterval = 0

const STEPS = {
  login: () => sdk.login('ada', 'ada of tests'),
  sync: () => sdk.sync(),
  create: ({ model, attributes: given }) => sdk.models[model].create(given),
  update: ({ model, note, to }) => {
    sdk.models[model].updateMany({ note }, { note: to })
  },
  delete: ({ model, note }) => sdk.models[model].destroyMany({ note }),
}

const failures = []
for (const step of JSON.parse(steps)) {
  try {
    await STEPS[step.do](step)
  } catch (error) {
    failures.push({ step: step.do, code: error.code, message: error.message })
  }
}
const objects = Object.fromEntries(
  Object.entries(sdk.models).map(([name, model]) => [
    name,
    Object.fromEntries(model.find().map(({ id, ...rest }) => [id, rest])),
  ]),
)
const unsent = Object.values(sdk.models).some(model => model.find().some(({ id }) => model.hasChanges(id)))
await sdk.close()
process.stdout.write(`${JSON.stringify({ objects, unsent, failures })}\n`)
