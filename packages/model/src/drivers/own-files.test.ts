import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { openSdk } from '../node.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'godwit-own-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)

function modesIn(path: string): { [name: string]: string } {
  const modes: { [name: string]: string } = { '.': modeOf(path) }
  for (const name of readdirSync(path, { recursive: true })) modes[String(name)] = modeOf(join(path, String(name)))
  return modes
}

const isOwn = ([name, mode]: readonly [string, string]): boolean =>
  mode === (name === '.' || name === 'blobs' ? '700' : '600')

const onUnix = process.platform === 'win32' ? describe.skip : describe

onUnix.each(['better-sqlite3', 'node-sqlite'] as const)('the files of a device, on %s', driver => {
  const open = async () => {
    const directory = join(folder, 'devices', 'ada')
    const sdk = await openSdk({ directory, server: 'http://sync.test', driver })
    const Note = sdk.addModel('Note', model => model.setModelProperty('picture', 'Blob'))
    return { directory, sdk, Note }
  }

  test('are readable by their owner only, those of an older version too', async () => {
    const first = await open()
    writeFileSync(join(folder, 'picture.png'), 'a picture')
    first.Note.create({ picture: join(folder, 'picture.png') })
    const modes = Object.entries(modesIn(first.directory))
    expect(modes.filter(entry => !isOwn(entry))).toEqual([])
    expect(modes.length).toBeGreaterThan(4)
    expect(modeOf(join(folder, 'devices'))).toBe('700')
    await first.sdk.close()
    for (const name of readdirSync(first.directory, { recursive: true }))
      chmodSync(join(first.directory, String(name)), name === 'blobs' ? 0o755 : 0o644)
    chmodSync(first.directory, 0o755)
    const second = await open()
    second.Note.create({})
    expect(Object.entries(modesIn(first.directory)).filter(entry => !isOwn(entry))).toEqual([])
    await second.sdk.close()
  })

  test('leave the mode of a folder that users share', async () => {
    const shared = join(folder, 'devices', 'ada')
    mkdirSync(shared, { recursive: true })
    chmodSync(shared, 0o1777)
    const { sdk } = await open()
    expect(statSync(shared).mode & 0o7777).toBe(0o1777)
    expect(existsSync(join(shared, 'main.sqlite')) || readdirSync(shared).length > 0).toBe(true)
    await sdk.close()
  })
})
