import { type Attributes, type ObjectId, SyncError } from '@godwit/protocol'

/** An object of a streamed document: its id and its attributes. */
export type StreamedObject = readonly [id: ObjectId, attributes: Attributes]

/** Yields the members of a JSON object as they arrive, with only one of them in memory. Leaving the loop cancels the request. */
export async function* membersOf(
  body: ReadableStream<Uint8Array>,
  signal?: AbortSignal,
): AsyncGenerator<StreamedObject> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  const splitter = new Splitter()
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(cause => {
        signal?.throwIfAborted()
        return brokeOff(cause)
      })
      if (done) break
      yield* splitter.split(decoder.decode(value, { stream: true }))
    }
    if (!splitter.isWhole) brokeOff()
  } finally {
    await reader.cancel().catch(() => {})
  }
}

const brokeOff = (cause?: unknown): never => {
  throw new SyncError('offline', 'The document was cut off before its end. Read it again.', { cause })
}

/** Finds the ends of an object's members without parsing them. */
class Splitter {
  #text = ''
  #at = 0
  #depth = 0
  #isQuoted = false

  /** True after the end of the object. */
  isWhole = false

  split(part: string): readonly StreamedObject[] {
    const members: StreamedObject[] = []
    this.#text += part
    let start = 0
    for (; this.#at < this.#text.length; this.#at++) {
      const character = this.#text[this.#at] as string
      if (this.#isQuoted) {
        if (character === '\\') this.#at++
        else if (character === '"') this.#isQuoted = false
        continue
      }
      if (character === '"') this.#isQuoted = true
      else if (character === '{' || character === '[') {
        if (++this.#depth === 1) start = this.#at + 1
      } else if (character === '}' || character === ']') this.#depth--
      this.isWhole ||= character === '}' && this.#depth === 0
      if (this.isWhole || (character === ',' && this.#depth === 1)) {
        const member = this.#text.slice(start, this.#at)
        start = this.#at + 1
        if (member.trim() !== '') members.push(...Object.entries<Attributes>(JSON.parse(`{${member}}`)))
        if (this.isWhole) break
      }
    }
    this.#text = this.#text.slice(start)
    this.#at -= start
    return members
  }
}
