import { beginQuery } from '../query.js'
import { COLLECTION, type Conformance, headOf, type Scene, type StoreUnderTest, sure } from '../suite.js'
import { DEVICES, type Fault, ModelDevice, type ModelPage, type ModelToken, pageOf } from './device.js'
import type { Step, WriteStep } from './steps.js'

/**
 * A store with devices that read it. A restore repeats the writes before the backup on an empty store with the same random texts, which yields the
 * same epoch and marks, and other marks for later writes.
 */
export class HistoryWorld {
  readonly devices = Array.from({ length: DEVICES }, () => new ModelDevice())
  readonly #open: Conformance['open']
  readonly #fault: Fault | undefined
  readonly #marks = new Map<number, string>()
  #opened: StoreUnderTest | undefined
  #texts: string[] = []
  #given = 0
  #made = 0
  #writes: WriteStep[] = []
  #backup: { readonly writes: number; readonly texts: number } | undefined

  constructor(open: Conformance['open'], fault?: Fault) {
    this.#open = open
    this.#fault = fault
  }

  async take(step: Step): Promise<ModelPage | undefined> {
    if (step.step === 'pull') return this.pull(step)
    if (step.step === 'reset') this.#device(step.device).nonce++
    else if (step.step === 'backup') this.#backup = { writes: this.#writes.length, texts: this.#texts.length }
    else if (step.step === 'restore') await this.#restore()
    else await this.#write(step)
    return undefined
  }

  /** Reads one page; a lost page is not applied. */
  async pull({ device, limit, isLost }: { device: number; limit: number; isLost: boolean }): Promise<ModelPage> {
    const { store } = await this.scene()
    const { token, nonce } = this.#device(device)
    const from = token?.nonce === nonce ? this.#weakened(token) : undefined
    const changes = sure(await store.collections.changes(COLLECTION, { from, limit }))
    const page = pageOf(changes, { token, nonce, limit, newPass: `pass ${++this.#made}`, fault: this.#fault })
    if (!isLost) this.#device(device).apply(page, this.#fault)
    return page
  }

  async scene(): Promise<Scene> {
    if (!this.#opened) {
      this.#opened = await this.#open({ clock: () => 1_700_000_000_000, randomId: () => this.#nextText() })
      await this.#opened.store.collections.open(COLLECTION)
    }
    return { store: this.#opened.store, collection: COLLECTION, clock: { now: 0 } }
  }

  async close(): Promise<void> {
    await this.#opened?.store.close()
    await this.#opened?.discard?.()
    this.#opened = undefined
  }

  #device(index: number): ModelDevice {
    return sure(this.devices[index])
  }

  #nextText(): string {
    const text = this.#texts[this.#given++] ?? `text ${++this.#made}`.padEnd(32, '-')
    if (this.#given > this.#texts.length) this.#texts.push(text)
    return text
  }

  async #restore(): Promise<void> {
    if (!this.#backup) return
    const writes = this.#writes.slice(0, this.#backup.writes)
    await this.close()
    this.#texts.length = this.#backup.texts
    this.#given = 0
    this.#writes = []
    for (const step of writes) await this.#write(step)
  }

  async #write(step: WriteStep): Promise<void> {
    const scene = await this.scene()
    await this.#perform(scene, step)
    this.#writes.push(step)
    const { version, mark } = await headOf(scene)
    this.#marks.set(version, mark)
  }

  async #perform(scene: Scene, step: WriteStep): Promise<void> {
    const { collections } = scene.store
    if (step.step === 'apply') await collections.apply(COLLECTION, step.batch)
    else if (step.step === 'query') {
      const query = await beginQuery(scene, { maxRemovedShare: 1 })
      await query.end(...step.meanwhile.map(batch => () => collections.apply(COLLECTION, batch)), step.answer)
    } else if (step.step === 'compact') {
      const { version } = await headOf(scene)
      await collections.compact(COLLECTION, { below: Math.floor(step.share * version), limit: step.limit })
    } else {
      await collections.drop(COLLECTION)
      await collections.open(COLLECTION)
    }
  }

  /** Changes the token as the planted fault does. */
  #weakened(token: ModelToken): ModelToken {
    if (this.#fault === 'compareFloorWithPosition') return { ...token, base: Math.max(1, token.after.version) }
    if (this.#fault === 'ignoreMarks') return { ...token, mark: this.#marks.get(token.head) ?? token.mark }
    return token
  }
}
