import type { PortLike } from '../remote/port.js'
import { ALL_PAGES, type ChannelMessage } from './messages.js'

type Channel = Pick<BroadcastChannel, 'postMessage' | 'addEventListener' | 'removeEventListener'>

/** One end of a channel between a worker and a page, as a port. */
export function channelPort(
  channel: Channel,
  { own, other }: { readonly own: string; readonly other: string },
): PortLike {
  let take: (event: MessageEvent<ChannelMessage>) => void
  return {
    postMessage: message => channel.postMessage({ to: other, from: own, message } satisfies ChannelMessage),
    addEventListener(type, listener) {
      take = ({ data }) => {
        if ((data.to === own || data.to === ALL_PAGES) && data.from === other) listener({ data: data.message })
      }
      channel.addEventListener(type, take)
    },
    removeEventListener(type) {
      channel.removeEventListener(type, take)
    },
  }
}
