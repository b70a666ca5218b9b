/** The part of a client that subscribes. The client restores subscriptions itself when it reconnects. */
export interface Subscriber {
  sSubscribe(channel: string, listener: (message: string) => void): Promise<unknown>
  sUnsubscribe(channel: string, listener: (message: string) => void): Promise<unknown>
}

/** The subscriptions of one connection; notifies subscribers when messages may have been missed. */
export class ConnectionSubscriptions {
  readonly #subscriber: Subscriber
  readonly #lostListeners = new Set<() => void>()
  #isBroken = false

  constructor(subscriber: Subscriber) {
    this.#subscriber = subscriber
  }

  async subscribe(channel: string, heard: (message: string) => void, lost: () => void): Promise<() => Promise<void>> {
    const listener = (message: string) => heard(message)
    const onLost = () => lost()
    await this.#subscriber.sSubscribe(channel, listener)
    this.#lostListeners.add(onLost)
    return async () => {
      this.#lostListeners.delete(onLost)
      await this.#subscriber.sUnsubscribe(channel, listener)
    }
  }

  broke(): void {
    this.#isBroken = true
  }

  stands(): void {
    if (!this.#isBroken) return
    this.#isBroken = false
    for (const onLost of [...this.#lostListeners]) onLost()
  }
}
