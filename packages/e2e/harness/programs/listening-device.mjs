// A device that logs in, syncs once, and prints its cities at each change. `listen`: also prints pings until it is killed.
// `pings`: like `listen`, but without change events. `leave`: ends after half a second without closing the SDK.
import { defineModel, t } from '@godwit/model'
import { openSdk } from '@godwit/model/node'

const [directory, server, what] = process.argv.slice(2)
const City = defineModel('City', { partition: 'app', sync: 'incremental', attributes: { name: t.string() } })

/** Removes change events from the event stream, so that only a push message makes the device sync. */
async function deaf(input, init) {
  const answer = await fetch(input, init)
  if (!String(input.url ?? input).includes('/app/events') || !answer.body) return answer
  let rest = ''
  const filter = new TransformStream({
    transform(chunk, controller) {
      const events = (rest + chunk).split('\n\n')
      rest = events.pop()
      for (const event of events) if (!event.startsWith('event: change')) controller.enqueue(`${event}\n\n`)
    },
  })
  const body = answer.body.pipeThrough(new TextDecoderStream()).pipeThrough(filter)
  return new Response(body.pipeThrough(new TextEncoderStream()), answer)
}

const sdk = await openSdk({ directory, server, models: { City }, ...(what === 'pings' && { fetch: deaf }) })
const write = value => process.stdout.write(`${JSON.stringify(value)}\n`)

sdk.models.City.observe({ order: { name: 'asc' } }, rows => write({ cities: rows.map(({ name }) => name) }))
await sdk.login('ada', 'ada')
await sdk.sync()
write({ synced: true })
if (what !== 'leave') {
  setInterval(() => {}, 60_000)
  for await (const event of sdk.events()) if (event.kind === 'ping') write(event)
} else await new Promise(resolve => setTimeout(resolve, 500))
