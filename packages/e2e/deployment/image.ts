import { readFileSync } from 'node:fs'
import { DockerfileParser, type From, type JSONInstruction } from 'dockerfile-ast'
import { inRepository } from '../harness/process.js'

export const dockerfile = readFileSync(inRepository('apps/server/Dockerfile'), 'utf8')

/** What the Dockerfile says of the image, for tests that do the same without an engine. */
export interface Image {
  /** Commands of the stage that builds, in their order. */
  readonly builds: readonly string[]
  readonly environment: { readonly [name: string]: string }
  readonly user: string
  readonly volumes: string
  readonly entrypoint: readonly string[]
  readonly command: readonly string[]
  readonly healthcheck: readonly string[]
}

export function readImage(text: string): Image {
  const parsed = DockerfileParser.parse(text)
  const instructions = parsed.getInstructions()
  const last = instructions.lastIndexOf(parsed.getFROMs().at(-1) as From)
  const final = instructions.slice(last)
  const argumentsOf = (keyword: string) =>
    final.filter(one => one.getKeyword() === keyword).map(one => one.getArgumentsContent() ?? '')
  const wordsOf = (keyword: string) => {
    const found = final.find(one => one.getKeyword() === keyword) as JSONInstruction
    return found.getJSONStrings().map(word => JSON.parse(word.getValue()) as string)
  }
  return {
    builds: instructions
      .slice(0, last)
      .filter(one => one.getKeyword() === 'RUN')
      .map(one => one.getArgumentsContent() ?? ''),
    environment: Object.fromEntries(
      parsed
        .getENVs()
        .filter(one => final.includes(one))
        .flatMap(one => one.getProperties())
        .map(property => [property.getName(), property.getValue() ?? '']),
    ),
    user: argumentsOf('USER').at(-1) ?? 'root',
    volumes: argumentsOf('VOLUME').join(' '),
    entrypoint: wordsOf('ENTRYPOINT'),
    command: wordsOf('CMD'),
    healthcheck: JSON.parse(/CMD (\[.*\])$/s.exec(argumentsOf('HEALTHCHECK').at(-1) ?? '')?.[1] ?? '[]') as string[],
  }
}
