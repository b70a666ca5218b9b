import { expect } from '@jest/globals'
import { inEachBrowser } from '../harness/in-each-browser.js'
import { notesWorld } from './notes-world.js'

/** Keeps what other tabs say from a page while `held` is a list. */
const BLOCKED_CHANNEL = `
const listen = BroadcastChannel.prototype.addEventListener
window.held = undefined
BroadcastChannel.prototype.addEventListener = function (type, hear) {
  return listen.call(this, type, event => (held ? held.push(() => hear(event)) : hear(event)))
}`
const RELEASE = `(() => { const late = held; held = undefined; for (const hear of late) hear() })()`

const world = notesWorld()

const texts = 'device.models.Note.find().then(rows => rows.map(({ text }) => text).toSorted())'

inEachBrowser(({ test, newProfile }) => {
  test('a form that is open while another tab logs in another user does not become a row of that user', async () => {
    await world.serve()
    const profile = await newProfile()
    const other = await world.open(profile)
    await other.evaluate(`device.login('ada', 'ada').then(() => device.sync())`)
    const form = await world.open(profile, {}, BLOCKED_CHANNEL)
    await form.evaluate(`device.models.Note.create({ text: 'of ada' })`)
    await form.waitFor(`device.sync().then(() => device.status.current().waiting === 0)`, { every: 500 })
    await form.evaluate('held = []; 0')
    await other.evaluate(`device.login('grace', 'grace')`)
    await form.evaluate(
      `device.models.Note.create({ text: 'typed by ada' }).then(() => window.answer = 'stored', ({ code }) => window.answer = code); 0`,
    )
    await form.evaluate(RELEASE)
    await form.waitFor('window.answer')
    expect(await form.evaluate('answer')).toBe('user_changed')
    expect(await other.evaluate(texts)).not.toContain('typed by ada')
    await other.evaluate('device.sync()')
    expect([...world.server.notes.values()].map(({ text }) => text)).toEqual(['of ada'])
  })

  test('another user cannot log in over changes that wait, and the tabs go on as they were', async () => {
    const { promise: ready, resolve } = Promise.withResolvers<void>()
    await world.serve({ ready })
    const profile = await newProfile()
    const first = await world.open(profile)
    await first.evaluate(`device.login('ada', 'ada').then(() => device.sync())`)
    const second = await world.open(profile)
    const refused = await second.evaluate(`device.sync().then(() => 0)
      .then(() => device.models.Note.createMany([{ text: 'a' }, { text: 'b' }]))
      .then(() => device.login('grace', 'grace'))
      .then(() => 'logged in', ({ code, details }) => [code, details])`)
    expect(refused).toEqual(['unsent_changes', { login: 'ada', count: 2 }])
    resolve()
    expect(await first.evaluate(texts)).toEqual(['a', 'b'])
    await first.waitFor(`device.sync().then(() => device.status.current().waiting === 0)`, { every: 500 })
    expect([...world.server.notes.values()].map(({ text }) => text).toSorted()).toEqual(['a', 'b'])
  })
})
