import type { PortLike } from '../remote/port.js'
import { ALL_PAGES, type ChannelMessage, WORKER } from './messages.js'

type Channel = Pick<BroadcastChannel, 'postMessage' | 'addEventListener' | 'removeEventListener'>

/** The worker's end or a page's of a channel, as a port to one other. */
export function channelPort(
  channel: Channel,
  { own, other }: { readonly own: string; readonly other: string },
): PortLike {
  const taken = new Map<(event: object) => void, (event: MessageEvent<ChannelMessage>) => void>()
  return {
    postMessage: message => channel.postMessage({ to: other, from: own, message } satisfies ChannelMessage),
    addEventListener(type, listener) {
      const take = ({ data }: MessageEvent<ChannelMessage>): void => {
        const isMeant = data.to === own || (data.to === ALL_PAGES && own !== WORKER)
        if (isMeant && data.from === other) listener({ data: data.message })
      }
      taken.set(listener, take)
      channel.addEventListener(type, take)
    },
    removeEventListener(type, listener) {
      const take = taken.get(listener)
      taken.delete(listener)
      if (take) channel.removeEventListener(type, take)
    },
  }
}
