import type { Sdk } from '@godwit/model/driver'
import type { Attributes } from '@godwit/protocol'
import type { Expectations } from '../checks/expectations.js'
import type { DiskProcess } from './disk.js'

/** A refused change, as reported to the app. */
export interface RefusalNotice {
  readonly status: string
  /** The error code. */
  readonly code: string
  readonly model: string
  readonly object: string
  readonly operation: string
  readonly attributes: Attributes
}

/** The part of a device that events affect. */
interface ListenerDevice {
  readonly name: string
  readonly damaged: Set<string>
  readonly expectations: Expectations
  readonly syncTook: number
  readonly heardRefusals: RefusalNotice[]
  mismatches: number
}

/** Records the events that the app of a device receives until its process dies. */
export async function listenToEvents(
  device: ListenerDevice,
  sdk: Sdk,
  process: DiskProcess,
  { note, isReported }: { readonly note: (text: string) => void; readonly isReported: boolean },
): Promise<void> {
  for await (const event of sdk.events()) {
    if (process.isDead) return
    if (event.kind === 'resync') {
      note(`    ${device.name}: resync of ${event.source} (${event.reason})`)
      if (event.reason === 'checksum' && !device.damaged.has(event.source)) device.mismatches++
      // With a new client id, a device loads the same history again: no row may go back.
      if (event.reason !== 'client') device.expectations.invalidateRows(event.source)
    } else if (event.kind === 'repaired') {
      note(`    ${device.name}: repair of ${event.source} (${event.rows} rows)`)
      if (!device.damaged.delete(event.source)) device.mismatches++
      device.expectations.invalidateRows(event.source)
    } else if (event.kind === 'refused' || event.kind === 'conflict') {
      const { status, model, object, operation, attributes, error } = event
      device.heardRefusals.push({ status, code: error.code, model, object, operation, attributes })
      note(`    ${device.name}: ${operation} of ${model} ${object} is ${status} ${JSON.stringify(attributes)}`)
    } else if (event.kind === 'source') {
      if (isReported) device.expectations.reportUpToDate(event.source, device.syncTook)
    }
  }
}
