import type { Sdk } from '@godwit/model/driver'
import type { DiskProcess } from './disk.js'
import type { Sights } from './sights.js'
import type { Told } from './told.js'

/** As much of a device as changes with what it hears. */
interface Listening {
  readonly name: string
  readonly damaged: Set<string>
  readonly sights: Sights
  readonly syncTook: number
  readonly told: Told[]
  mismatches: number
}

/** What the app of a device hears of its syncs, for as long as its process lives. */
export async function listen(
  device: Listening,
  sdk: Sdk,
  process: DiskProcess,
  { note, isTold }: { readonly note: (text: string) => void; readonly isTold: boolean },
): Promise<void> {
  for await (const event of sdk.events()) {
    if (process.isDead) return
    if (event.kind === 'resync') {
      note(`    ${device.name}: resync of ${event.source} (${event.reason})`)
      if (event.reason === 'checksum' && !device.damaged.has(event.source)) device.mismatches++
      device.sights.mend(event.source)
    } else if (event.kind === 'repaired') {
      note(`    ${device.name}: repair of ${event.source} (${event.rows} rows)`)
      if (!device.damaged.delete(event.source)) device.mismatches++
      device.sights.mend(event.source)
    } else if (event.kind === 'refused' || event.kind === 'conflict') {
      const { status, model, object, operation, attributes, error } = event
      device.told.push({ status, code: error.code, model, object, operation, attributes })
      note(`    ${device.name}: ${operation} of ${model} ${object} is ${status} ${JSON.stringify(attributes)}`)
    } else if (event.kind === 'source') {
      if (isTold) device.sights.tell(event.source, device.syncTook)
    }
  }
}
