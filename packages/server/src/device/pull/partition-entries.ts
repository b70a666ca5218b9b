import {
  isSyncError,
  type PartitionParameters,
  type PartitionPull,
  parametersName,
  type SourceError,
} from '@godwit/protocol'
import type { Source } from '@godwit/source'
import type { Head } from '@godwit/store'
import { byPartition } from '../../backend/sources/partition-of.js'
import { publicError } from '../../backend/sources/public-error.js'
import type { DeviceEngine } from '../device-engine.js'
import type { ComposedPage } from './pull.js'

type PageOrError = { readonly page: ComposedPage } | { readonly error: unknown }

/** The entries of a response with pages of several partitions, as text, in the order in which they were read. */
export class PartitionEntries {
  readonly source: Source
  readonly #engine: DeviceEngine
  readonly #texts: string[] = []
  readonly #heads = new Map<string, Head>()
  #bytes = 0
  #hasNews = false

  constructor(engine: DeviceEngine, source: Source) {
    this.#engine = engine
    this.source = source
  }

  /** The number of characters of all entries. */
  get bytes(): number {
    return this.#bytes
  }

  /** True if a page has rows or outcomes. */
  get hasNews(): boolean {
    return this.#hasNews
  }

  /** Returns the result of a step, or undefined after adding its error as that of the partition. */
  attempt<Result>(parameters: PartitionParameters, step: () => Result): Result | undefined {
    try {
      return step()
    } catch (error) {
      this.#fail(parameters, error)
      return undefined
    }
  }

  /** Reads a page and adds it, or the error. Returns false, and adds nothing, if there is no page yet. */
  async read(pull: PartitionPull, read: () => Promise<ComposedPage | undefined>): Promise<boolean> {
    const result = await this.compute(read)
    if ('page' in result && result.page === undefined) return false
    this.add(pull, result as PageOrError)
    return true
  }

  /** Returns a page, or the error of reading it; `add` takes both. */
  compute<Result>(read: () => Promise<Result>): Promise<{ readonly page: Result } | { readonly error: unknown }> {
    return read().then(
      page => ({ page }),
      (error: unknown) => ({ error }),
    )
  }

  /** Adds a page or an error. */
  add({ parameters }: PartitionPull, result: PageOrError): void {
    if ('error' in result) {
      this.#fail(parameters, result.error)
      return
    }
    const { text, head, hasNews } = result.page
    this.#heads.set(parametersName(parameters), head)
    this.#hasNews ||= hasNews
    this.#push(`{"parameters":${JSON.stringify(parameters)},${text.slice(1)}`)
  }

  /** Adds a partition that the response has no room or time for. */
  leave({ parameters, token }: PartitionPull): void {
    this.#push(JSON.stringify({ parameters, more: true, ...(token !== undefined && { token }) }))
  }

  /** Returns the response, with the heads of the partitions that the source lists. */
  async compose(by: readonly string[], listed: readonly PartitionParameters[]): Promise<string> {
    const partitions = await Promise.all(listed.map(parameters => this.#listedPartition(parameters)))
    return `{"by":${JSON.stringify(by)},"pages":[${this.#texts.join(',')}],"partitions":${JSON.stringify(partitions)}}`
  }

  async #listedPartition(parameters: PartitionParameters) {
    const collection = { source: this.source.name, partition: byPartition(parameters) }
    const head = this.#heads.get(parametersName(parameters)) ?? (await this.#engine.store.collections.head(collection))
    return { parameters, ...(head && { head: head.version, epoch: head.epoch }) }
  }

  #push(text: string): void {
    this.#texts.push(text)
    this.#bytes += text.length
  }

  #fail(parameters: PartitionParameters, error: unknown): void {
    this.#push(JSON.stringify({ parameters, error: this.#errorOf(error) }))
  }

  #errorOf(error: unknown): SourceError {
    if (isSyncError(error)) return { code: error.code, message: error.message }
    return publicError(this.#engine, error, { source: this.source.name, logMessage: 'a partition was not read' })
  }
}
