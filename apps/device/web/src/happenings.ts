import type { device } from './device.js'

const MOST = 200

/** Something that the device told of itself. */
export interface Happening {
  readonly key: number
  readonly at: Date
  readonly text: string
}

let all: readonly Happening[] = []
const listeners = new Set<() => void>()

/** What the device told since the page was opened, the latest first. */
export const happenings = {
  current: (): readonly Happening[] => all,
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
}

/** Keeps the latest events of the device. */
export async function listen({ events }: Pick<typeof device, 'events'>): Promise<void> {
  let key = 0
  for await (const event of events()) {
    all = [{ key: key++, at: new Date(), text: said(event) }, ...all].slice(0, MOST)
    for (const listener of listeners) listener()
  }
}

function said(event: { readonly kind: string }): string {
  const { kind, ...facts } = event
  const told = Object.entries(facts).filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
  return [kind, ...told.map(([name, value]) => `${name} ${value}`)].join(' · ')
}
