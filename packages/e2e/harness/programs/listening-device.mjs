// A device that logs in and syncs once. `listen`: stays and writes what it hears; `leave`: does nothing more, and never closes.
import { defineModel } from '@godwit/model'
import { openSdk } from '@godwit/model/node'

const [directory, server, what] = process.argv.slice(2)
const City = defineModel('City', { partition: 'app', sync: 'incremental', attributes: { name: 'string' } })
const sdk = await openSdk({ directory, server, models: { City } })
const write = value => process.stdout.write(`${JSON.stringify(value)}\n`)

sdk.models.City.observe({ order: 'name' }, rows => write({ cities: rows.map(({ name }) => name) }))
await sdk.login('ada', 'ada')
await sdk.sync()
write({ synced: true })
if (what === 'listen') {
  setInterval(() => {}, 60_000)
  for await (const event of sdk.events()) if (event.kind === 'ping') write(event)
} else await new Promise(resolve => setTimeout(resolve, 500))
