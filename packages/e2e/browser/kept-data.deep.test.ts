import { expect } from '@jest/globals'
import { inEachBrowser } from '../harness/in-each-browser.js'
import type { Tab } from '../harness/tabs.js'
import { notesWorld } from './notes-world.js'

/** Counts how often a page asks its browser to keep what is stored, which agrees. */
const COUNT = `
globalThis.asked = 0
StorageManager.prototype.persist = async () => { asked++; return true }`

const world = notesWorld()

const requested = (page: Tab) => page.evaluate('asked')
const storage = (page: Tab) => page.evaluate('device.status.current().storage')

inEachBrowser(({ test, newProfile }) => {
  test('a page asks its browser to keep the data at its first write, once, and not before', async () => {
    await world.serve({ notes: new Map([['n', { text: 'from the server' }]]) })
    const profile = await newProfile()
    const page = await world.open(profile, {}, COUNT)
    await page.evaluate(`device.login('ada', 'ada').then(() => device.sync())`)
    expect(await page.evaluate('device.models.Note.find().then(rows => rows.length)')).toBe(1)
    expect(await page.evaluate(`device.models.Note.create({ text: 7 }).catch(({ code }) => code)`)).toBe(
      'attribute_invalid',
    )
    expect(await requested(page)).toBe(0)
    // A row that never syncs is lost with the storage as well.
    await page.evaluate(`device.models.Draft.create({ text: 'a draft' })`)
    expect(await requested(page)).toBe(1)
    await page.waitFor(`device.status.current().storage === 'persistent'`)
    await page.evaluate(`device.models.Note.create({ text: 'a note' }).then(() => device.sync())`)
    await page.evaluate(`device.actions.addAll(['another'])`)
    expect(await requested(page)).toBe(1)

    // A page that writes nothing does not ask, also with changes that wait.
    await world.stop()
    await page.evaluate(`device.models.Note.create({ text: 'waits' })`)
    const other = await world.open(profile, {}, COUNT)
    await other.waitFor('device.status.current().waiting === 1')
    expect(await requested(other)).toBe(0)
    await other.evaluate(`device.actions.addAll(['of the other page'])`)
    expect([await requested(other), await storage(other)]).toEqual([1, 'persistent'])
  })

  test('a page whose data is in memory asks for nothing', async () => {
    await world.serve()
    const refuse = `StorageManager.prototype.getDirectory = undefined`
    const page = await world.open(await newProfile(), {}, `${COUNT}\n${refuse}`)
    await page.evaluate(`device.models.Draft.create({ text: 'a draft' })`)
    expect([await requested(page), await storage(page)]).toEqual([0, 'memory'])
  })
})
