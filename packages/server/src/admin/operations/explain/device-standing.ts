import type { Finding } from '@godwit/protocol'
import type { DeviceFacts, ExplainFacts } from './facts.js'

/**
 * How the object is on a device.
 *
 * - `has`: in its present state. `sent`: in its present state, if the last response arrived.
 * - `made`: the device created it, and the create is not decided.
 * - `lacks`: the server has a state that the device was not sent.
 * - `holds`: it was removed, and the device was not sent that.
 * - `without`: neither the server nor the device has it.
 */
type Standing = 'has' | 'sent' | 'made' | 'lacks' | 'holds' | 'without'

/** A device's standing, and the finding that says so. */
export interface DeviceStanding {
  readonly standing: Standing
  readonly finding: Finding
}

/** Returns how the object is on a device. */
export function standingOf(facts: Pick<ExplainFacts, 'present' | 'changes'>, device: DeviceFacts): DeviceStanding {
  const { state } = facts.present
  if (state !== 'live' && facts.changes.some(one => one.operation === 'create' && one.client === device.client))
    return standing('made', 'client_made_it', device, 'created the object and keeps it until the create is decided')
  const { confirmed, sent } = device
  if (!confirmed) return neverPulled(state, device)
  const since = `${confirmed.isWhole ? 'a complete pass' : 'a pass from the start'} at ${new Date(confirmed.at).toISOString()}`
  if (state === 'never') return unknownTo(device, since)
  const what = state === 'live' ? 'the current state' : 'the removal'
  if (confirmed.includesObject) {
    const says = `confirmed ${what} with ${since}`
    return state === 'live'
      ? standing('has', 'client_has_it', device, says)
      : standing('without', 'client_has_not', device, says)
  }
  if (sent?.includesObject) {
    const says = `was sent ${what} at ${new Date(sent.at).toISOString()} and has not confirmed it yet`
    return standing(state === 'live' ? 'sent' : 'without', 'client_was_sent', device, says)
  }
  if (state === 'live')
    return standing('lacks', 'client_behind', device, `has not been sent ${what} (last confirmed: ${since})`)
  if (device.hadObject)
    return standing('holds', 'client_behind', device, `has not been sent ${what} (last confirmed: ${since})`)
  return standing('without', 'client_has_not', device, `never had the object (last confirmed: ${since})`)
}

function neverPulled(state: ExplainFacts['present']['state'], device: DeviceFacts): DeviceStanding {
  const says = 'has never pulled this source'
  if (state === 'live')
    return standing('lacks', 'client_never_pulled', device, `${says}; its first pull delivers all objects`)
  return standing('without', 'client_never_pulled', device, says)
}

function unknownTo(device: DeviceFacts, since: string): DeviceStanding {
  if (device.confirmed?.isWhole || device.sent)
    return standing(
      'without',
      'client_has_not',
      device,
      `does not have the object, like the server (last confirmed: ${since})`,
    )
  return standing('without', 'client_behind', device, `has not finished its current pass (last confirmed: ${since})`)
}

const standing = (kind: Standing, code: string, { client }: DeviceFacts, says: string): DeviceStanding => ({
  standing: kind,
  finding: { code, message: `Client ${client} ${says}.` },
})
