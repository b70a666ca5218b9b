import { isSyncError, type SyncError } from '@godwit/protocol'
import type { Drive, Driver } from '../../platform/driver.js'

/** The matchers of a test runner's `expect` that the suite uses. */
export interface Matchers {
  toBe(expected: unknown): void
  toEqual(expected: unknown): void
  toBeGreaterThan(expected: number): void
  toContain(expected: string): void
}

/** Empty storage for the files of one device. */
export interface PlaceUnderTest {
  readonly drive: Drive
  /** Opens a second drive on the same storage, as another process would. Absent if the platform allows only one drive per storage. */
  readonly other?: (() => Promise<Drive> | Drive) | undefined
  /** Removes the files after all connections are closed. */
  readonly discard?: (() => Promise<void> | void) | undefined
}

/** The test runner and the driver under test. */
export interface DriverConformance {
  readonly describe: (name: string, body: () => void) => unknown
  readonly test: (name: string, body: () => Promise<void>) => unknown
  readonly expect: (actual: unknown) => Matchers
  /** Creates empty storage. Called once for each test. */
  readonly open: () => Promise<PlaceUnderTest> | PlaceUnderTest
  /** False if committed data is lost with the connection, as for a drive in memory. Default: true. */
  readonly isDurable?: boolean | undefined
}

/** The argument of a test: its storage and a function that opens connections. */
export interface Scene extends PlaceUnderTest {
  /** Opens a file, and closes the connection after the test. */
  connect(file?: string, drive?: Drive): Driver
}

export interface Suite extends DriverConformance {
  /** Registers a test with empty storage. */
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

/** Returns the SyncError that a call throws; undefined if it does not throw. */
export function errorOf(call: () => unknown): SyncError | undefined {
  try {
    call()
  } catch (error) {
    if (isSyncError(error)) return error
    throw error
  }
  return undefined
}
