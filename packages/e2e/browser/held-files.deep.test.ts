import { expect } from '@jest/globals'
import { inEachBrowser } from '../harness/in-each-browser.js'
import type { Tab } from '../harness/tabs.js'
import { openTab } from './app.js'
import { usePages } from './use-pages.js'

/** The fifth handle that is asked for is still had by another worker. */
const BUSY_ONCE = `
const create = FileSystemFileHandle.prototype.createSyncAccessHandle
let asked = 0
FileSystemFileHandle.prototype.createSyncAccessHandle = async function () {
  if (++asked === 5) throw new DOMException('another worker has it', 'NoModificationAllowedError')
  return create.call(this)
}`

/** Each handle that is asked for fails, for no reason that is known. */
const FAILING = `
FileSystemFileHandle.prototype.createSyncAccessHandle = async function () {
  throw new DOMException('no handle', 'UnknownError')
}`

/** From the sixth handle on none comes: the worker is still making its files when it ends. */
const CUT_SHORT = `
const create = FileSystemFileHandle.prototype.createSyncAccessHandle
let asked = 0
FileSystemFileHandle.prototype.createSyncAccessHandle = function () {
  if (++asked <= 5) return create.call(this)
  new BroadcastChannel('cut').postMessage('short')
  return new Promise(() => {})
}`
/** It takes seconds to make its files. */
const SLOW = `
const create = FileSystemFileHandle.prototype.createSyncAccessHandle
FileSystemFileHandle.prototype.createSyncAccessHandle = async function () {
  await new Promise(resolve => setTimeout(resolve, 150))
  return create.call(this)
}`
const HIDDEN = `Object.defineProperty(document, 'hidden', { get: () => true })`
const VISIBLE = `Object.defineProperty(document, 'hidden', { get: () => false })`

/** Each file of a blob is still had by another worker when its handle or its removal is asked for first. */
const BUSY_BLOBS = `
const create = FileSystemFileHandle.prototype.createSyncAccessHandle
const remove = FileSystemDirectoryHandle.prototype.removeEntry
const seen = new Set()
const refuseOnce = what => {
  if (seen.has(what)) return
  seen.add(what)
  throw new DOMException('another worker has it', 'NoModificationAllowedError')
}
FileSystemFileHandle.prototype.createSyncAccessHandle = async function () {
  if (this.name.endsWith('.copy')) refuseOnce('handle of ' + this.name)
  return create.call(this)
}
FileSystemDirectoryHandle.prototype.removeEntry = async function (name) {
  if (this.name === 'blobs') refuseOnce('removal of ' + name)
  return remove.call(this, name)
}`

/** Every handle is still had by another worker, and time goes twenty times as fast. */
const BUSY = `
const now = performance.now.bind(performance)
performance.now = () => now() * 20
FileSystemFileHandle.prototype.createSyncAccessHandle = async function () {
  throw new DOMException('another worker has it', 'NoModificationAllowedError')
}`

/** No handle ever comes, and timers are twenty times as fast. */
const NEVER = `
const set = globalThis.setTimeout
globalThis.setTimeout = (run, milliseconds) => set(run, milliseconds / 20)
FileSystemFileHandle.prototype.createSyncAccessHandle = () => new Promise(() => {})`

/** Timers are twenty times as fast. */
const FAST = `
const set = globalThis.setTimeout
globalThis.setTimeout = (run, milliseconds) => set(run, milliseconds / 20)`

/** A page that holds the lock of a device's files, as a worker that hangs does, until it is closed. */
const HOLD_LOCK = `new Promise(held => {
  navigator.locks.request('godwit:visits:files', () => new Promise(() => held(true)))
})`

/** SQLite gets no file of the name in the worker's address. */
const REFUSED = `
const refused = new URLSearchParams(location.search).get('refused')
const write = FileSystemSyncAccessHandle.prototype.write
FileSystemSyncAccessHandle.prototype.write = function (bytes, options) {
  if (options.at === 0 && new TextDecoder().decode(bytes.slice(0, refused.length + 1)) === refused + '\\0')
    throw new DOMException('no header', 'UnknownError')
  return write.call(this, bytes, options)
}`
const FILES = ['/device.sqlite', '/device.sqlite-wal', '/user.sqlite', '/local.sqlite-wal']

/** A worker of another kind holds the files of a device, and lets go of them after three seconds. */
const HOLD = `new Promise(resolve => {
  const hold = async () => {
    let folder = await navigator.storage.getDirectory()
    for (const name of ['godwit', 'visits', 'database', '.opaque']) folder = await folder.getDirectoryHandle(name)
    const handles = []
    for await (const file of folder.values()) handles.push(await file.createSyncAccessHandle())
    postMessage(handles.length)
    setTimeout(() => handles.forEach(handle => handle.close()), 3000)
  }
  const holder = new Worker(URL.createObjectURL(new Blob(['(' + hold + ')()'])))
  holder.onmessage = ({ data }) => resolve(data)
})`

const HEAR_CUT = `new BroadcastChannel('cut').onmessage = () => { globalThis.isCutShort = true }`

const pages = usePages({
  'busy-once': BUSY_ONCE,
  failing: FAILING,
  'cut-short': CUT_SHORT,
  slow: SLOW,
  'busy-blobs': BUSY_BLOBS,
  busy: BUSY,
  never: NEVER,
  fast: FAST,
  refused: REFUSED,
})

const create = (page: Tab, text: string) =>
  page.evaluate(`device.models.Draft.create({ text: ${JSON.stringify(text)} })`)
const texts = (page: Tab) => page.evaluate(`device.models.Draft.find().then(rows => rows.map(row => row.text))`)

inEachBrowser(({ test, newProfile }) => {
  test('a device whose files are still had by another worker keeps them, and opens when they are free', async () => {
    const profile = await newProfile()
    const page = await openTab(profile, pages)
    await create(page, 'kept')
    await page.close()
    expect(await texts(await openTab(profile, pages, { worker: '/busy-once.js' }))).toEqual(['kept'])
  })

  test('a device that cannot be opened keeps its files', async () => {
    const profile = await newProfile()
    const page = await openTab(profile, pages)
    await create(page, 'kept')
    await page.close()
    const failed = await openTab(profile, pages, { worker: '/failing.js' })
    expect(await failed.evaluate(`device.models.Draft.find().catch(({ code }) => code)`)).toBe('internal')
    await failed.close()
    expect(await texts(await openTab(profile, pages))).toEqual(['kept'])
  })

  test('a device whose first worker ended while it made its files is whole for the next one', async () => {
    const profile = await newProfile()
    const first = await openTab(profile, pages, { worker: '/cut-short.js' }, HEAR_CUT)
    await first.waitFor('globalThis.isCutShort')
    await first.close()
    const second = await openTab(profile, pages)
    await create(second, 'stored')
    expect(await texts(second)).toEqual(['stored'])
  })

  test('a hidden page whose worker is still making its files goes on, and serves the page that waits', async () => {
    const profile = await newProfile()
    const hidden = await openTab(profile, pages, { worker: '/slow.js' }, HIDDEN)
    await hidden.waitFor(`navigator.locks.query().then(({ held }) => held.some(({ name }) => name.endsWith(':files')))`)
    const visible = await openTab(profile, pages, {}, VISIBLE)
    await create(visible, 'stored')
    expect(await texts(hidden)).toEqual(['stored'])
    const role = 'device.status.current().role'
    expect([await hidden.evaluate(role), await visible.evaluate(role)]).toEqual(['owner', 'guest'])
  })

  test('a device whose files are held for seconds waits for them', async () => {
    const profile = await newProfile()
    const page = await openTab(profile, pages)
    await create(page, 'kept')
    const other = await openTab(profile, pages, { name: 'other' })
    await page.close()
    expect(await other.evaluate(HOLD)).toBeGreaterThanOrEqual(16)
    expect(await texts(await openTab(profile, pages))).toEqual(['kept'])
  })

  test('a device whose files stay held says so, and what to do', async () => {
    const profile = await newProfile()
    const page = await openTab(profile, pages, { worker: '/busy.js' })
    expect(await page.evaluate(`device.models.Draft.find().catch(({ code, message }) => ({ code, message }))`)).toEqual(
      {
        code: 'database_failed',
        message: expect.stringMatching(/another worker holds its files.*Close the other tabs of this app/),
      },
    )
  })

  test('a device whose files another worker never lets go of says so, and what to do', async () => {
    const profile = await newProfile()
    const page = await openTab(profile, pages)
    await create(page, 'kept')
    await page.close()
    const holder = await openTab(profile, pages, { name: 'other' })
    await holder.evaluate(HOLD_LOCK)
    const waiting = await openTab(profile, pages, { worker: '/fast.js' })
    expect(
      await waiting.evaluate(`device.models.Draft.find().catch(({ code, message }) => ({ code, message }))`),
    ).toEqual({
      code: 'database_failed',
      message: expect.stringMatching(
        /another worker holds its files.*within 10 seconds.*Close the other tabs of this app/,
      ),
    })
    expect(await waiting.evaluate('device.status.current()')).toMatchObject({
      busy: false,
      problem: { code: 'database_failed' },
    })
    await holder.close()
    await waiting.reload()
    expect(await texts(waiting)).toEqual(['kept'])
  })

  test('a device whose browser never opens its files says so, and is not busy any more', async () => {
    const page = await openTab(await newProfile(), pages, { worker: '/never.js' })
    expect(await page.evaluate(`device.models.Draft.find().catch(({ code, message }) => ({ code, message }))`)).toEqual(
      { code: 'database_failed', message: expect.stringContaining('the browser did not open its files within') },
    )
    expect(await page.evaluate('device.status.current()')).toMatchObject({
      busy: false,
      problem: { code: 'database_failed' },
    })
  })

  test('a picture whose file is still had by another worker is stored once that is free', async () => {
    const page = await openTab(await newProfile(), pages, { worker: '/busy-blobs.js' })
    expect(
      await page.evaluate(`device.models.Note.create({ text: 'with one', picture: new Blob(['seen']) })
        .then(({ picture }) => device.blobUrl(picture)).then(fetch).then(answer => answer.text())`),
    ).toBe('seen')
  })

  test('a device that gets one of its files refused says why, and has it with the next worker', async () => {
    const profile = await newProfile()
    for (const [at, file] of FILES.entries()) {
      const name = `device-${at}`
      const refused = await openTab(profile, pages, { name, worker: `/refused.js?refused=${file}` })
      expect(
        await refused.evaluate(`device.models.Draft.find().catch(({ code, message }) => ({ code, message }))`),
      ).toEqual({ code: 'database_failed', message: expect.stringContaining('(UnknownError: no header). Close') })
      await refused.close()
      const page = await openTab(profile, pages, { name })
      await create(page, file)
      expect(await texts(page)).toEqual([file])
      await page.close()
    }
  }, 120_000)
})
