import { expect, test } from '@jest/globals'
import { AdminClient } from './index.js'

const happening = (n: number) => ({ kind: 'client_created', id: `p-${n}`, time: 't', user: 'ada', client: `${n}` })
const text = (event: { readonly [name: string]: string }) =>
  `${event['id'] ? `id: ${event['id']}\n` : ''}event: x\ndata: ${JSON.stringify(event)}\n\n`

/** A client of a server that sends these texts as its streams, one per request; each stream ends or fails after its text. */
function serverOf(...streams: readonly (string | Response)[]) {
  const asked: string[] = []
  const cancelled: number[] = []
  const fetch = async (address: string) => {
    const at = asked.push(new URL(address).search) - 1
    const stream = streams[at] ?? streams.at(-1) ?? ''
    if (typeof stream !== 'string') return stream
    const parts = stream.match(/.{1,7}/gs) ?? []
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const part = parts.shift()
        if (part === undefined) controller.close()
        else if (part.includes('!')) controller.error(new Error('the line broke'))
        else controller.enqueue(new TextEncoder().encode(part))
      },
      cancel: () => void cancelled.push(at),
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  }
  return { asked, cancelled, admin: new AdminClient({ url: 'http://sync.example', token: 'secret', fetch }) }
}

test('events are complete however the stream is split; heartbeats are skipped', async () => {
  const { admin, asked, cancelled } = serverOf(
    `:\n\n${text(happening(1))}:\n\n${text({ ...happening(2), user: 'ä €' })}${':\n\n'.repeat(9)}`,
  )
  const heard = []
  for await (const event of admin.events({ kinds: ['client_created', 'login'], source: 'a b' })) {
    heard.push(event)
    if (heard.length === 2) break
  }
  expect(heard).toEqual([happening(1), { ...happening(2), user: 'ä €' }])
  expect(asked).toEqual(['?source=a+b&kinds=client_created%2Clogin'])
  expect(cancelled).toEqual([0])
})

test('a stream that ends or breaks is resumed after the last event', async () => {
  const { admin, asked } = serverOf(text(happening(1)), `${text(happening(2))}${'!'.repeat(20)}`, text(happening(3)))
  const ids: string[] = []
  for await (const event of admin.events()) if (ids.push('id' in event ? event.id : '') === 3) break
  expect(ids).toEqual(['p-1', 'p-2', 'p-3'])
  expect(asked).toEqual(['', '?after=p-1', '?after=p-2'])
})

test('a refusal ends the stream, and so does the signal, also while it waits to reconnect', async () => {
  const refused = serverOf(Response.json({ code: 'token_invalid', detail: 'unknown' }, { status: 401 }))
  await expect(refused.admin.events().next()).rejects.toMatchObject({ code: 'token_invalid' })
  const ending = new AbortController()
  const { admin } = serverOf(text(happening(1)))
  const events = admin.events({ signal: ending.signal })
  await events.next()
  const next = events.next()
  ending.abort(new Error('enough'))
  await expect(next).rejects.toThrow('enough')
})
