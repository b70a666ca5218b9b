import { isSyncError, type SyncError } from '@godwit/protocol'
import type { Drive, Driver } from '../../database/driver.js'

/** What the suite asks of a test runner's `expect`. */
export interface Matchers {
  toBe(expected: unknown): void
  toEqual(expected: unknown): void
  toBeGreaterThan(expected: number): void
  toContain(expected: string): void
}

/** An empty place for the files of one device. */
export interface PlaceUnderTest {
  readonly drive: Drive
  /** Another drive on the same place, as another process has it. Absent: the platform gives a place to one alone. */
  readonly other?: (() => Promise<Drive> | Drive) | undefined
  /** Removes the files, after every connection was closed. */
  readonly discard?: (() => Promise<void> | void) | undefined
}

/** A test runner and a driver. */
export interface DriverConformance {
  readonly describe: (name: string, body: () => void) => unknown
  readonly test: (name: string, body: () => Promise<void>) => unknown
  readonly expect: (actual: unknown) => Matchers
  /** Makes an empty place. Called once for each test. */
  readonly open: () => Promise<PlaceUnderTest> | PlaceUnderTest
  /** Whether committed data outlives a connection: false for a drive in memory. Default: true. */
  readonly isDurable?: boolean | undefined
}

/** What one test works with. */
export interface Scene extends PlaceUnderTest {
  /** Opens a file, and closes the connection after the test. */
  connect(file?: string, drive?: Drive): Driver
}

export interface Suite extends DriverConformance {
  /** A test on an empty place. */
  readonly fact: (name: string, body: (scene: Scene) => Promise<void> | void) => void
}

export function suiteOf(conformance: DriverConformance): Suite {
  const fact: Suite['fact'] = (name, body) => conformance.test(name, () => withScene(conformance, body))
  return { ...conformance, fact }
}

async function withScene({ open }: DriverConformance, body: (scene: Scene) => Promise<void> | void): Promise<void> {
  const place = await open()
  const connections = new Set<Driver>()
  const connect: Scene['connect'] = (file = 'device.sqlite', drive = place.drive) => {
    const driver = drive.open(file)
    const close = (): void => {
      if (connections.delete(connection)) driver.close()
    }
    const connection: Driver = { ...driver, close }
    connections.add(connection)
    return connection
  }
  try {
    await body({ ...place, connect })
  } finally {
    for (const connection of connections) connection.close()
    await place.discard?.()
  }
}

/** The SyncError that a call throws. Undefined: it threw none. */
export function errorOf(call: () => unknown): SyncError | undefined {
  try {
    call()
  } catch (error) {
    if (isSyncError(error)) return error
    throw error
  }
  return undefined
}
