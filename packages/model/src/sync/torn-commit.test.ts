import { copyFileSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Attributes } from '@godwit/protocol'
import { afterAll, expect, test } from '@jest/globals'
import { EVERYTHING } from '../query/query-tree.js'
import { type Decision, FakeServer } from '../testing/fake-server.js'
import { definition, driveOn, openOn, temporaryDirectories } from '../testing/open-device.js'

const directories = temporaryDirectories()
afterAll(() => directories.removeAll())

const models = [
  definition('Owner'),
  definition('Shared', { partition: 'app', belongsTo: { owner: 'Owner' } }),
  definition('Local', { partition: 'local', syncType: 'none', belongsTo: { owner: 'Owner' } }),
]

const copy = (from: string, to: string): void => {
  for (const suffix of ['', '-wal']) {
    if (existsSync(from + suffix)) copyFileSync(from + suffix, to + suffix)
    else rmSync(to + suffix, { force: true })
  }
}

/**
 * A commit over several files is atomic per file: the process may die when some have it and others not.
 * So one file is put back to where it was before the owner was decided; then the device is opened again.
 */
async function after(lost: readonly string[], decision: Decision) {
  const directory = directories.make()
  const drive = await driveOn('better-sqlite3', directory)
  const server = new FakeServer()
  server.decide = (_, source) => (source === 'Owner' ? decision : {})
  let device = openOn(drive, server, models)
  await device.sdk.login('ada', 'ada')
  await device.sdk.sync()
  const owner = device.device.find('Owner')?.insert({ name: 'o' }).object ?? ''
  device.device.find('Shared')?.insert({ owner }, 's')
  device.device.find('Local')?.insert({ owner }, 'l')
  for (const file of lost) copy(join(directory, `${file}.sqlite`), join(directory, `${file}.before`))
  await device.sdk.sync('Owner')
  await device.sdk.close()
  for (const file of lost) {
    copy(join(directory, `${file}.before`), join(directory, `${file}.sqlite`))
    rmSync(join(directory, `${file}.sqlite-shm`), { force: true })
  }
  device = openOn(drive, server, models)
  await device.sdk.sync()
  const seen = (name: string) =>
    Object.fromEntries(
      device.device
        .find(name)
        ?.read(EVERYTHING)
        .map(({ object, attributes }) => [object, attributes]) ?? [],
    )
  const result: { [name: string]: { [id: string]: Attributes } } = {
    Owner: seen('Owner'),
    Shared: seen('Shared'),
    Local: seen('Local'),
  }
  const refused = device.sdk.refused().map(({ model, status }) => `${model} ${status}`)
  const undecided = device.sdk.changes()
  await device.sdk.close()
  return { result, refused, undecided, server }
}

test.each([[['app']], [['user']], [['local']], [['app', 'local']], [['user', 'local']]])(
  'a real id reaches every file, though %j lost the commit',
  async lost => {
    const { result, undecided, server } = await after(lost, { link: 'real' })
    expect(result).toEqual({
      Owner: { real: { name: 'o' } },
      Shared: { s: { owner: 'real' } },
      Local: { l: { owner: 'real' } },
    })
    expect(server.live('Shared')).toEqual(result['Shared'])
    expect(undecided).toEqual([])
  },
)

test.each([[['app']], [['user']]])('a refusal reaches every file, though %j lost the commit', async lost => {
  const { result, refused, undecided, server } = await after(lost, { status: 'refused' })
  expect(result).toMatchObject({ Owner: {}, Shared: {} })
  expect(server.live('Shared')).toEqual({})
  expect(refused.sort()).toEqual(['Owner refused', 'Shared depends_on_refused'])
  expect(undecided).toEqual([])
})
