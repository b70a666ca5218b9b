import type { Suite } from './driver-conformance.js'

/** Tests of the lock, which one process at a time holds to sync a device. */
export function describeLock({ describe, fact, expect }: Suite): void {
  describe('the lock', () => {
    fact('is one’s, until it lets go', async ({ drive, other }) => {
      const second = (await other?.()) ?? drive
      const release = drive.lock()
      expect(release === undefined).toBe(false)
      expect(second.lock()).toBe(undefined)
      release?.()
      const again = second.lock()
      expect(again === undefined).toBe(false)
      again?.()
    })

    fact('holds up neither reading nor writing', ({ drive, connect }) => {
      const release = drive.lock()
      const driver = connect()
      driver.exec('CREATE TABLE t AS SELECT 1 AS x')
      expect(driver.prepare('SELECT x FROM t').arrays()).toEqual([[1]])
      release?.()
    })
  })
}
