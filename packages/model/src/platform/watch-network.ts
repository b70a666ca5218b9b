/** Calls back when the platform's network returns. Call the result to stop. */
export type WatchNetwork = (back: () => void) => () => void

/** Uses the event `online`, if the platform has it. */
export const platformNetwork: WatchNetwork = back => {
  const { addEventListener: add, removeEventListener: remove } = globalThis as Partial<
    Pick<EventTarget, 'addEventListener' | 'removeEventListener'>
  >
  if (typeof add !== 'function' || typeof remove !== 'function') return () => {}
  add.call(globalThis, 'online', back)
  return () => remove.call(globalThis, 'online', back)
}
