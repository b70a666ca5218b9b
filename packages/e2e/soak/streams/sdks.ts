import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { defineModel, t } from '@godwit/model'
import { openSdk } from '@godwit/model/node'

const Shared = defineModel('Shared', { sync: 'incremental', partition: 'app', attributes: { edition: t.integer() } })
const Own = defineModel('Own', { sync: 'incremental', attributes: { text: t.string() } })
const Volatile = defineModel('Volatile', { sync: 'incremental', partition: 'app', attributes: { asked: t.integer() } })

interface SdksOptions {
  readonly folder: string
  readonly url: string
  readonly count: number
  /** Seconds between two syncs. */
  readonly pollInterval: number
}

/** Devices with the complete SDK and databases. */
export interface Sdks {
  login(): Promise<void>
  /** Returns true if all devices have an edition of the shared object. */
  have(edition: number): boolean
  /** Writes on the first device; the second is another device of the same user. */
  write(): Promise<void>
  heard(): boolean
  /** Syncs the source with different results for each query, on the first device. */
  askVolatile(): Promise<void>
  /** Returns true if all devices have the result of `askVolatile`. */
  haveVolatile(): boolean
  close(): Promise<void>
}

export async function openSdks({ folder, url, count, pollInterval }: SdksOptions): Promise<Sdks> {
  const all = await Promise.all(
    Array.from({ length: count }, (_, index) => {
      const directory = join(folder, `${index}`)
      mkdirSync(directory, { recursive: true })
      return openSdk({ directory, server: url, models: { Shared, Own, Volatile } })
    }),
  )
  const [first, second] = all
  if (first === undefined || second === undefined) throw new Error('expected two devices or more')
  const requested = (sdk: typeof first) => sdk.models.Volatile.get('one')?.asked
  return {
    async login() {
      for (const [index, sdk] of all.entries()) {
        sdk.pollInterval = pollInterval
        await sdk.login(index === 1 ? 'sdk-0' : `sdk-${index}`, 'any')
        await sdk.sync()
      }
    },
    have: edition => all.every(({ models }) => models.Shared.get('one')?.edition === edition),
    async write() {
      first.models.Own.create({ text: 'written' })
    },
    heard: () => second.models.Own.count() === 1,
    async askVolatile() {
      await first.sync({ models: ['Volatile'] })
    },
    haveVolatile: () => all.every(sdk => requested(sdk) === requested(first)),
    async close() {
      for (const sdk of all) await sdk.close()
    },
  }
}
