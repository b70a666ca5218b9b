/**
 * Lists private words in the names of shipped code, and phrases that are a habit of this repository in comments, messages and
 * documents, each with its line and what to write instead. Checks the given paths, or all files. Fails above `LIMIT` words.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import ts from 'typescript'
import { mustRun } from './run.ts'
import { root } from './workspace.ts'

/** Words that have a private meaning as a part of a name, and plain ones. */
const WORDS: { readonly [word: string]: string } = {
  asked: 'requested',
  beneath: 'serverRow',
  held: 'blocked, locked or retained',
  kin: 'related',
  lay: 'overlay',
  misfit: 'invalidValue',
  misfits: 'invalidValues',
  note: 'record, or the noun of its content',
  noted: 'recorded',
  shown: 'displayed',
  tell: 'report or announce',
  told: 'reported or announced',
  twin: 'duplicate',
  twins: 'duplicates',
}

/** The words that may stay, each in its ordinary sense, such as the attribute `note` of a visit. */
const LIMIT = 30

const PHRASES: readonly (readonly [pattern: RegExp, write: string])[] = [
  [/\bso many\b/i, 'the number of …, or the limit'],
  [/(?<!['"`/=])\bnobody\b(?!['"`])/i, 'no user, no client, no process: which one'],
  [/\bwhoever\b/i, 'the caller, the device, the client: which one'],
  [/\banew\b/i, 'again'],
  [/\bin the place of\b/i, 'instead of'],
  [/\bof (?:its|their) own\b/i, 'separate, or nothing'],
  [/\bas good as\b/i, 'almost, or nothing'],
  [/\bwhatever it is\b/i, 'any value, any error: which one'],
  [/\bis at (?:nothing|it|two|once|a mutation)\b/i, 'is running'],
  [/; [^;`]* came[.`'"]/, 'expected X, got Y'],
  [/\/\*\* Undefined: /, 'a sentence with a subject: Returns undefined for …'],
]

/** False for tests and their helpers, whose names no reader of the shipped code meets. */
const isShipped = (file: string): boolean =>
  /^(?:apps|packages)\/.*\.tsx?$/.test(file) &&
  !/\.(?:test|fixture)\.tsx?$|\/(?:testing|conformance|suite)\/|^packages\/(?:bench|e2e|load|testing)\//.test(file)

/** Returns a line for each declared name that has a private word as one of its parts: `lastAsked` has `asked`. */
export function privateNamesIn(file: string, text: string): readonly string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest)
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    const { name } = node as ts.NamedDeclaration
    if (name && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name)) && !ts.isPropertyAccessExpression(node)) {
      const line = source.getLineAndCharacterOfPosition(name.getStart(source)).line + 1
      const words = name.text.split(/(?=[A-Z])|[^a-zA-Z]+/).map(part => part.toLowerCase())
      for (const word of words)
        if (Object.hasOwn(WORDS, word)) found.push(`${file}:${line}: the name ${name.text}: write ${WORDS[word]}`)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** Returns a line for each habitual phrase of a text. */
export const phrasesIn = (file: string, text: string): readonly string[] =>
  text.split('\n').flatMap((line, at) =>
    PHRASES.flatMap(([pattern, write]) => {
      const found = pattern.exec(line)?.[0].trim().slice(0, 40)
      return found === undefined ? [] : [`${file}:${at + 1}: ${JSON.stringify(found)}: write ${write}`]
    }),
  )

async function wordsOf(file: string): Promise<readonly string[]> {
  const text = await readFile(join(root, file), 'utf8')
  return [...(isShipped(file) ? privateNamesIn(file, text) : []), ...phrasesIn(file, text)]
}

if (import.meta.main) {
  const paths = process.argv.slice(2)
  const files = (await mustRun('git', ['ls-files', '--', ...paths]))
    .split('\n')
    .filter(file => /\.(?:tsx?|js|mjs|md)$/.test(file) && !/^scripts\/(?:names|error-messages)\./.test(file))
  const found = (await Promise.all(files.map(wordsOf))).flat()
  const count = `expected at most ${LIMIT} private words in ${files.length} files, got ${found.length}\n`
  process.stdout.write([...found, count].join('\n'))
  if (found.length > LIMIT) process.exitCode = 1
}
