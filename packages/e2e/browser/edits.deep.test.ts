import { expect } from '@jest/globals'
import { inEachBrowser } from '../harness/in-each-browser.js'
import type { Tab } from '../harness/tabs.js'
import { notesWorld } from './notes-world.js'
import { seeded } from './seeded-numbers.js'

const world = notesWorld()

const login = (page: Tab) => page.evaluate(`device.login('ada', 'ada').then(() => device.sync())`)
const texts = async (page: Tab) =>
  (await page.evaluate(`device.models.Note.find().then(rows => rows.map(({ text }) => text).toSorted())`)) as string[]
const backend = () => [...world.server.notes.values()].map(({ text }) => String(text)).toSorted()
const allSent = (page: Tab) =>
  page.waitFor(`device.sync().then(() => device.status.current().waiting === 0)`, { every: 500, within: 60_000 })
const after = (milliseconds: number) => new Promise(resolve => setTimeout(resolve, milliseconds))

/** Adds notes one after the other, until told to end; answers those that it was told to be stored. */
function addNotes(page: Tab, name: string): { end(): Promise<readonly string[]> } {
  let isOver = false
  const adding = (async () => {
    const reported: string[] = []
    for (let at = 0; !isOver; at++) {
      const text = `${name} ${at}`
      await page.evaluate(`device.models.Note.create({ text: '${text}' }).then(() => 0)`).then(
        () => reported.push(text),
        // The page went meanwhile.
        () => {},
      )
    }
    return reported
  })()
  return {
    end() {
      isOver = true
      return adding
    },
  }
}

inEachBrowser(({ test, newProfile }) => {
  test('what a page was told to be stored outlives its reloads in the middle of edits, and is sent once', async () => {
    await world.serve()
    const random = seeded(11)
    const page = await world.open(await newProfile())
    await login(page)
    const reported: string[] = []
    for (let round = 0; round < 6; round++) {
      const adding = addNotes(page, `round ${round}`)
      await after(20 + random() * 300)
      await page.reload()
      reported.push(...(await adding.end()))
    }
    const here = await texts(page)
    expect(reported.filter(text => !here.includes(text))).toEqual([])
    expect(new Set(here).size).toBe(here.length)
    await allSent(page)
    expect(backend()).toEqual(here)
    expect(await texts(page)).toEqual(here)
  })

  test('two tabs that edit the same rows end with what the server has', async () => {
    await world.serve()
    const profile = await newProfile()
    const tabs = [await world.open(profile), await world.open(profile)] as const
    await login(tabs[0])
    await tabs[0].evaluate('device.actions.addNotes(10)')
    const edit = (name: string) => `(async () => {
      const rows = await device.models.Note.find()
      for (let turn = 0; turn < 5; turn++)
        for (const { id } of rows) await device.models.Note.update(id, { text: id + ' ${name} ' + turn })
    })()`
    await Promise.all([
      tabs[0].evaluate(edit('first')),
      tabs[1].evaluate(edit('second')),
      tabs[1].evaluate('device.sync()'),
    ])
    await allSent(tabs[1])
    const here = await texts(tabs[0])
    expect(here).toHaveLength(10)
    expect(here.filter(text => !/ (first|second) 4$/.test(text))).toEqual([])
    expect(await texts(tabs[1])).toEqual(here)
    expect(backend()).toEqual(here)
  })

  test('an app that is reloaded in the middle of a migration migrates each row once', async () => {
    await world.serve()
    const random = seeded(5)
    const profile = await newProfile()
    const page = await world.open(profile)
    await login(page)
    await page.evaluate('device.actions.addNotes(3000)')
    await page.close()
    const newer = await world.open(profile, { next: '1', worker: '/worker.js?next=1' })
    for (let reload = 0; reload < 4; reload++) {
      await after(50 + random() * 500)
      await newer.reload()
    }
    const expected = Array.from({ length: 3000 }, (_, at) => `note ${at} migrated`).toSorted()
    expect(await texts(newer)).toEqual(expected)
    await allSent(newer)
    expect(backend()).toEqual(expected)
    expect(await texts(newer)).toEqual(expected)
  }, 120_000)

  test('an old tab beside a version with another attribute stores no row without it and is told to reload', async () => {
    await world.serve()
    const profile = await newProfile()
    const old = await world.open(profile, { release: '1', worker: '/worker.js?release=1' })
    await login(old)
    await old.evaluate(`device.models.Note.create({ text: 'one' }).then(() => 0)`)
    await allSent(old)
    const open = () => world.open(profile, { next: '1', release: '2', worker: '/worker.js?next=1&release=2' })
    const newer = await open()
    expect(await texts(newer)).toEqual(['one migrated'])
    world.server.notes.set('another', { text: 'two', length: 3 })
    const codeOf = (call: string) => old.evaluate(`${call}.then(() => 'done', ({ code }) => code)`)
    expect(await codeOf(`device.models.Note.create({ text: 'too old' })`)).toBe('reload_needed')
    expect(await codeOf('device.sync()')).toBe('reload_needed')
    await allSent(newer)
    await newer.close()
    expect(await codeOf('device.sync()')).toBe('reload_needed')
    const last = await open()
    await allSent(last)
    const rows = `device.models.Note.find().then(rows => rows.map(({ text, length }) => text + ' ' + length).toSorted())`
    expect(await last.evaluate(rows)).toEqual(['one migrated 3', 'two 3'])
    expect([...world.server.notes.values()].map(({ text, length }) => `${text} ${length}`).toSorted()).toEqual([
      'one migrated 3',
      'two 3',
    ])
  }, 120_000)
})
