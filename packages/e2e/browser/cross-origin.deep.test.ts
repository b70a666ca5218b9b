import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from '@jest/globals'
import { inEachBrowser } from '../harness/in-each-browser.js'
import { openTab, serveNotes } from './app.js'
import { usePages } from './use-pages.js'

/** Tells which headers of answers the worker reads. */
const READING = `
const read = new BroadcastChannel('read')
const get = Headers.prototype.get
Headers.prototype.get = function (name) {
  read.postMessage(name.toLowerCase())
  return get.call(this, name)
}`
const NOTE_READ = `
globalThis.read = new Set()
globalThis.reading = new BroadcastChannel('read')
reading.onmessage = ({ data }) => read.add(data)`

/** What every page may read of an answer. */
const SAFE = [
  'cache-control',
  'content-language',
  'content-length',
  'content-type',
  'expires',
  'last-modified',
  'pragma',
]
/** A redirect that is followed is told by the address, and one that is not is not shown to pages. */
const NEVER_THERE = ['location']

const pages = usePages({ reading: READING })

inEachBrowser(({ test, newProfile }) => {
  test('a server of another origin shows pages every header that a device reads', async () => {
    const { server, url } = await serveNotes([pages.url])
    try {
      const profile = await newProfile()
      const page = await openTab(profile, pages, { server: url, worker: '/reading.js' }, NOTE_READ)
      await page.evaluate(`device.login('ada', 'ada').then(() => device.sync())`)
      await page.evaluate(
        `device.models.Note.create({ text: 'n', picture: new File(['a picture'], 'a.txt') }).then(() => device.sync())`,
      )
      // The server's own answer, and one whose header says for how long to wait.
      const failed = await page.evaluate(`(async () => {
        for (let attempt = 0; attempt < 100; attempt++) {
          const error = await device.login('ada', 'wrong').catch(error => error)
          if (error.code !== 'invalid_credentials') return { code: error.code, details: error.details }
        }
      })()`)
      expect(failed).toEqual({
        code: 'too_many_attempts',
        details: expect.objectContaining({ retryAfter: expect.any(Number) }),
      })
      await page.waitFor(`read.has('retry-after') && read.has('date')`)
      const { headers } = await fetch(`${url}/app/v1/Note`, { headers: { origin: pages.url } })
      const exposed = (headers.get('access-control-expose-headers') ?? '').toLowerCase().split(', ')
      const readable = new Set([...SAFE, ...NEVER_THERE, ...exposed])
      const read = (await page.evaluate('[...read]')) as readonly string[]
      expect(read.filter(name => !readable.has(name))).toEqual([])
      // And the browser agrees.
      const dated = await page.evaluate(
        `fetch('${url}/app/v1/Note').then(({ headers }) => headers.get('date') !== null)`,
      )
      expect(dated).toBe(true)
    } finally {
      await server.close()
    }
  })

  test('the parts of all photos share a preflight or two, where a page of another origin sends them', async () => {
    const { server, notes } = await serveNotes([pages.url])
    let requested = 0
    let parts = 0
    const counting = createServer((request, response) => {
      if (request.url?.endsWith('/blobs')) request.method === 'OPTIONS' ? requested++ : parts++
      server.handler(request, response)
    })
    await new Promise<void>(resolve => counting.listen(0, '127.0.0.1', resolve))
    const { port } = counting.address() as AddressInfo
    try {
      const page = await openTab(await newProfile(), pages, { server: `http://127.0.0.1:${port}` })
      await page.evaluate(`device.login('ada', 'ada').then(() => device.sync())`)
      for (const text of ['a', 'b', 'c'])
        await page.evaluate(
          `device.models.Note.create({ text: '${text}', picture: new File(['${text}'.repeat(1500000)], '${text}.txt') }).then(() => device.sync())`,
        )
      expect(notes.size).toBe(3)
      // Firefox asks once more than Chromium.
      expect(requested).toBeLessThanOrEqual(2)
      expect(parts).toBeGreaterThan(5)
    } finally {
      counting.closeAllConnections()
      await new Promise(resolve => counting.close(resolve))
      await server.close()
    }
  })
})
