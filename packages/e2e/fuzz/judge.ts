import { compile } from '@godwit/protocol/validate'
import type { ApiDocument, ApiOperation } from './document.js'
import type { RawAnswer } from './send.js'
import type { ValueSchema } from './values.js'

/** Holds answers against the document: what is wrong with one, or undefined. */
export class Judge {
  readonly #document: ApiDocument
  readonly #checks = new Map<string, (value: unknown) => unknown>()

  constructor(document: ApiDocument) {
    this.#document = document
  }

  fault(operation: ApiOperation, answer: RawAnswer): string | undefined {
    const { status, headers, body } = answer
    if (status === 500) return `a 500: ${body.toString().slice(0, 300)}`
    const said = operation.responses[String(status)]
    if (!said) return `${status} is no status of it: ${body.toString().slice(0, 300)}`
    if (headers['x-content-type-options'] !== 'nosniff') return 'x-content-type-options is missing'
    if (headers['cache-control'] !== 'no-store') return 'cache-control is missing'
    if (!said.content) return body.length > 0 ? `${status} has a body` : undefined
    const type = String(headers['content-type']).split(';')[0] ?? ''
    const content = said.content[type]
    if (!content) return `${status} is ${type}, not one of ${Object.keys(said.content).join(', ')}`
    if (!type.endsWith('json')) return undefined
    return this.#misfit(`${operation.operationId} ${status} ${type}`, content.schema, body.toString())
  }

  #misfit(name: string, schema: ValueSchema, text: string): string | undefined {
    try {
      this.#checkFor(name, schema)(JSON.parse(text))
      return undefined
    } catch (error) {
      return `${(error as Error).message} Answer: ${text.slice(0, 300)}`
    }
  }

  #checkFor(name: string, schema: ValueSchema): (value: unknown) => unknown {
    const known = this.#checks.get(name)
    if (known) return known
    const whole = { ...schema, components: { schemas: this.#document.schemas } }
    const check = compile(whole as object as Parameters<typeof compile>[0], { what: 'answer' })
    this.#checks.set(name, check)
    return check
  }
}
