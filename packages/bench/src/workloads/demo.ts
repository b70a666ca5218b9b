import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openSdk } from '@godwit/model/node'
import { cities } from '../cities.js'
import { seconds } from '../measure.js'
import { startProgram } from '../systems/system.js'

const CITIES = 135_233

/** Starts the demo; pages of `origin` may call it. */
export async function withDemo<T>(
  { origin }: { readonly origin?: string },
  run: (url: string) => Promise<T>,
): Promise<T> {
  const server = await startProgram(
    fileURLToPath(new URL('../../../apps/server/dist/godwit.js', import.meta.url)),
    ['start'],
    {
      // Vite sets a different NODE_ENV.
      NODE_ENV: 'development',
      PORT: '0',
      SYNC_STORE: 'memory:',
      ...(origin === undefined ? {} : { SYNC_ORIGINS: origin }),
      SYNC_ADMIN_PASSWORD: 'a password of the bench',
      SYNC_LOG_LEVEL: 'error',
    },
  )
  try {
    // The first sync includes the server's query of the cities, so it is not measured.
    await syncCities(server.url)
    return await run(server.url)
  } finally {
    await server.stop()
  }
}

const openDevice = (directory: string, server: string) =>
  openSdk({ directory, server, models: cities, eventStream: false })
type Device = Awaited<ReturnType<typeof openDevice>>

/** Measures the first sync of all cities into a device, in seconds; `use` is then called with the device. */
export async function syncCities(server: string, use: (sdk: Device) => void = () => {}): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), 'godwit-bench-device-'))
  const sdk = await openDevice(directory, server)
  try {
    sdk.pollInterval = 0
    const took = await seconds(async () => {
      await sdk.login('ada', 'ada')
      await sdk.sync()
    })
    if (sdk.models.City.count() !== CITIES) throw new Error(`${sdk.models.City.count()} cities of ${CITIES}`)
    use(sdk)
    return took
  } finally {
    await sdk.close()
    rmSync(directory, { recursive: true, force: true })
  }
}
