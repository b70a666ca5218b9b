import { refusal } from '@godwit/server'
import { expect } from '@jest/globals'
import { inEachBrowser } from '../harness/in-each-browser.js'
import type { Tab } from '../harness/tabs.js'
import { notesWorld } from './notes-world.js'

/** The backend's notes, of which none can be added. */
class RefusingNotes extends Map<string, { readonly [name: string]: unknown }> {
  override set(): this {
    throw refusal('There are enough notes.')
  }
}

/** The worker's app sets a handler that writes down what was refused. */
const WITH_HANDLER = { worker: '/worker.js?notes-refusals&still' }
const WITHOUT = { worker: '/worker.js?still' }

const world = notesWorld()

const drafts = (page: Tab) => page.evaluate('device.models.Draft.find().then(rows => rows.map(({ text }) => text))')
const waitForDrafts = (page: Tab, count: number) =>
  page.waitFor(`device.models.Draft.count().then(count => count === ${count})`)

inEachBrowser(({ test, newProfile }) => {
  test('a handler of the app hears at each opening of refusals that are still listed', async () => {
    await world.serve({ notes: new RefusingNotes() })
    const profile = await newProfile()
    const first = await world.open(profile, WITHOUT)
    await first.evaluate(`device.login('ada', 'ada').then(() => device.sync())`)
    await first.evaluate(`device.models.Note.create({ text: 'one more' }).then(() => device.sync())`)
    await first.waitFor('device.status.current().refused === 1')
    // Another page takes the device over, and its worker has the handler.
    const second = await world.open(profile, WITH_HANDLER)
    expect(await drafts(second)).toEqual([])
    await first.close()
    await waitForDrafts(second, 1)
    expect(await drafts(second)).toEqual(['refused: one more'])
    await second.reload()
    await waitForDrafts(second, 2)
    await second.evaluate(`device.refused().then(all => Promise.all(all.map(one => one.dismiss()))).then(() => 0)`)
    await second.reload()
    expect(await second.evaluate('device.status.current().refused')).toBe(0)
    await second.evaluate('device.sync().then(() => 0)')
    expect(await drafts(second)).toEqual(['refused: one more', 'refused: one more'])
  })
})
