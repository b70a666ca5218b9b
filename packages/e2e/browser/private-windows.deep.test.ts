import { expect } from '@jest/globals'
import { inEachBrowser } from '../harness/in-each-browser.js'
import { openTab } from './app.js'
import { usePages } from './use-pages.js'

const pages = usePages()

const find = `device.models.Draft.find().then(rows => rows.map(({ text }) => text))`
const errors = 'events.filter(({ kind }) => kind === "error").map(({ error }) => error.message)'

inEachBrowser(
  ({ kind, test, newProfile }) => {
    // Firefox refuses files there, Chromium keeps them as long as the window is open.
    const isRefused = kind.name === 'Firefox'

    test('in a private window a device works, and says once where it cannot keep its data', async () => {
      const page = await openTab(await newProfile(), pages)
      await page.evaluate(`device.models.Draft.create({ text: 'in private' })`)
      expect(await page.evaluate(find)).toEqual(['in private'])
      const expected = isRefused ? { storage: 'memory', durable: false } : { durable: true }
      expect(await page.evaluate('device.status.current()')).toMatchObject(expected)
      expect(await page.evaluate(errors)).toEqual(
        isRefused
          ? [
              expect.stringMatching(
                /^Data is stored in memory only and is lost when this page closes: .*private windows\.$/,
              ),
            ]
          : [],
      )
      await page.reload()
      expect(await page.evaluate(find)).toEqual(isRefused ? [] : ['in private'])
    })

    test('two tabs of a private window share a device', async () => {
      const profile = await newProfile()
      const first = await openTab(profile, pages, { name: 'shared' })
      const second = await openTab(profile, pages, { name: 'shared' })
      await first.evaluate(`device.models.Draft.create({ text: 'of the first' })`)
      expect(await second.evaluate(find)).toEqual(['of the first'])
      expect(await second.evaluate('device.status.current().durable')).toBe(!isRefused)
    })

    test('a device that has to keep its data says why it cannot, in a private window that refuses it', async () => {
      const page = await openTab(await newProfile(), pages, { name: 'kept', require: '1' })
      const answer = await page.evaluate(`device.models.Draft.find().catch(({ code, message }) => ({ code, message }))`)
      if (isRefused)
        expect(answer).toEqual({ code: 'database_failed', message: expect.stringContaining('as in private windows') })
      else expect(answer).toEqual([])
    })
  },
  { isPrivate: true },
)
