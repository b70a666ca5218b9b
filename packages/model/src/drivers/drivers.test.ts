import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from '@jest/globals'
import { DeviceDatabase } from '../database/database.js'
import { DRIVERS, driveOn, temporaryDirectories } from '../testing/open-device.js'

const directories = temporaryDirectories()
afterAll(() => directories.removeAll())

describe.each(DRIVERS)('the driver %s', name => {
  test('maps its files where the driver allows it, except during a scan', async () => {
    const drive = await driveOn(name, directories.make())
    const mapped = (database: DeviceDatabase) => database.prepare('PRAGMA user.mmap_size').get()?.['mmap_size']
    const database = new DeviceDatabase(drive)
    expect(mapped(database)).toBe(256 * 1024 * 1024)
    expect(await database.unmapped(async () => mapped(database))).toBe(0)
    expect(mapped(database)).toBe(256 * 1024 * 1024)
    database.close()
    const { mappedBytes: _, ...cautious } = drive.open('device.sqlite')
    const unmapped = new DeviceDatabase({ ...drive, open: () => cautious })
    expect(mapped(unmapped)).toBe(0)
    unmapped.close()
  })

  test('says in one line that a directory cannot be a device', async () => {
    const directory = directories.make()
    const unusable = (words: string) =>
      expect.objectContaining({ code: 'database_failed', message: expect.stringContaining(words) })
    writeFileSync(join(directory, 'file'), '')
    await expect(driveOn(name, join(directory, 'file'))).rejects.toEqual(unusable('file as a device: EEXIST'))
    await expect(driveOn(name, '')).rejects.toEqual(unusable("cannot open '' as a device"))
    mkdirSync(join(directory, 'device.sqlite'))
    const drive = await driveOn(name, directory)
    expect(() => drive.open('device.sqlite')).toThrow(unusable(`cannot open ${directory} as a device: unable to open`))
  })
})
