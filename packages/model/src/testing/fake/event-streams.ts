/** The open event streams of devices. */
export class EventStreams {
  readonly open = new Set<ReadableStreamDefaultController<Uint8Array>>()

  /** Sends an event to all listeners: `change`, `check`, `ping`; '' is a heartbeat. */
  report(event: string, data: object = {}): void {
    const text = event === '' ? ':\n\n' : `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
    for (const stream of this.open) stream.enqueue(new TextEncoder().encode(text))
  }

  /** Ends all streams, as a server does when it stops. */
  hangUp(): void {
    for (const stream of this.open) stream.close()
    this.open.clear()
  }

  /** Opens a stream, which begins with a `check` event because earlier changes may have been missed. */
  listen(signal: AbortSignal | undefined, check: object = {}): Response {
    let opened: ReadableStreamDefaultController<Uint8Array> | undefined
    const body = new ReadableStream<Uint8Array>({
      start: controller => {
        opened = controller
        this.open.add(controller)
        controller.enqueue(new TextEncoder().encode(`event: check\ndata: ${JSON.stringify(check)}\n\n`))
      },
      cancel: () => void (opened && this.open.delete(opened)),
    })
    const abort = () => {
      if (opened && this.open.delete(opened)) opened.error(new TypeError('terminated'))
    }
    signal?.addEventListener('abort', abort, { once: true })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  }
}
