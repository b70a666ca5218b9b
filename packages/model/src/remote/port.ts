import type { HostMessage, PageMessage } from './protocol.js'

/** Anything that carries messages: a MessagePort or Worker of browsers, Node or Electron, or a substitute. */
export interface PortLike {
  postMessage(message: unknown): void
  addEventListener?(type: 'message', listener: (event: object) => void): void
  removeEventListener?(type: 'message', listener: (event: object) => void): void
  /** A Worker of Node and a port of Electron's main process have these instead of event listeners. */
  on?(type: 'message', listener: (message: unknown) => void): unknown
  off?(type: 'message', listener: (message: unknown) => void): unknown
  start?(): void
}

/** Listens for messages of this protocol and ignores others. Call the result to stop. */
export function listen<Message extends HostMessage | PageMessage>(
  port: PortLike,
  hear: (message: Message) => void,
): () => void {
  // A port of Electron's main process wraps messages in events; a Worker of Node does not.
  const take = (given: unknown): void => {
    const message = isOurs(given) ? given : (given as { readonly data?: unknown } | null)?.data
    if (isOurs(message)) hear(message as Message)
  }
  ;(port.addEventListener ?? port.on)?.call(port, 'message', take)
  port.start?.()
  return () => void (port.removeEventListener ?? port.off)?.call(port, 'message', take)
}

const isOurs = (message: unknown): boolean => typeof (message as { godwit?: unknown } | null)?.godwit === 'string'
