import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from '@jest/globals'
import { Database } from '../database/database.js'
import { DRIVERS, driveOn, temporaryDirectories } from '../testing/open-device.js'

const directories = temporaryDirectories()
afterAll(() => directories.removeAll())

describe.each(DRIVERS)('the driver %s', name => {
  test.each(['', 'a\0b', '\0', 'é😀', '\uffff'])('gives back the text %j', async text => {
    const driver = (await driveOn(name, directories.make())).open('x.sqlite')
    const statement = driver.prepare('SELECT ? AS value, length(?) AS length')
    expect(statement.get(text, text)?.['value']).toBe(text)
    expect(statement.arrays(text, text)[0]?.[0]).toBe(text)
    driver.close()
  })

  test('gives whole numbers beyond 2^53 as numbers', async () => {
    const driver = (await driveOn(name, directories.make())).open('x.sqlite')
    const statement = driver.prepare('SELECT 9007199254740993 AS value')
    expect([statement.get()?.['value'], statement.all()[0]?.['value'], statement.arrays()[0]?.[0]]).toEqual(
      Array(3).fill(2 ** 53),
    )
    driver.close()
  })

  test('gives bytes as they are, and tells what only reads', async () => {
    const driver = (await driveOn(name, directories.make())).open('x.sqlite')
    driver.exec('CREATE TABLE t (b)')
    const insert = driver.prepare('INSERT INTO t VALUES (?)')
    expect(insert.run(new Uint8Array([0, 255]))).toBe(1)
    expect(new Uint8Array(driver.prepare('SELECT b FROM t').get()?.['b'] as Uint8Array)).toEqual(
      new Uint8Array([0, 255]),
    )
    expect([insert.readonly, driver.prepare('SELECT 1').readonly]).toEqual([false, true])
    expect(() => driver.exec('nonsense')).toThrow(expect.objectContaining({ code: 'database_failed' }))
    driver.close()
  })

  test('maps its files, but not while something is looked through, and never where the driver does not say so', async () => {
    const drive = await driveOn(name, directories.make())
    const mapped = (database: Database) => database.prepare('PRAGMA user.mmap_size').get()?.['mmap_size']
    const database = new Database(drive)
    expect(mapped(database)).toBe(256 * 1024 * 1024)
    expect(await database.unmapped(async () => mapped(database))).toBe(0)
    expect(mapped(database)).toBe(256 * 1024 * 1024)
    database.close()
    const { mappedBytes: _, ...cautious } = drive.open('device.sqlite')
    const unmapped = new Database({ ...drive, open: () => cautious })
    expect(mapped(unmapped)).toBe(0)
    unmapped.close()
  })

  test('says in one line that a place cannot be a device', async () => {
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

  test('lets one at a time hold the device', async () => {
    const directory = directories.make()
    const [one, other] = [await driveOn(name, directory), await driveOn(name, directory)]
    const release = one.lock()
    expect(other.lock()).toBeUndefined()
    release?.()
    const second = other.lock()
    expect(second).toBeDefined()
    second?.()
  })
})
