/** Calls back when the platform has a network again; what it returns ends that. */
export type WatchNetwork = (back: () => void) => () => void

/** By the event `online`, where the platform has it. */
export const platformNetwork: WatchNetwork = back => {
  const { addEventListener: add, removeEventListener: remove } = globalThis as Partial<
    Pick<EventTarget, 'addEventListener' | 'removeEventListener'>
  >
  if (typeof add !== 'function' || typeof remove !== 'function') return () => {}
  add.call(globalThis, 'online', back)
  return () => remove.call(globalThis, 'online', back)
}
