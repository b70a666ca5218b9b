/** Fails if a line uses a habitual wording of this repository, or a comment exceeds two sentences. Checks the given paths, or all files. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { mustRun } from './run.ts'
import { root } from './workspace.ts'

const habits: readonly (readonly [pattern: RegExp, write: string])[] = [
  [/\bso many\b/i, 'the number of …, or the limit itself'],
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

const isProse = (file: string): boolean =>
  /\.(ts|tsx|js|mjs|md)$/.test(file) && !/^scripts\/(?:wording|error-grammar)\.|\.pins\./.test(file)

async function warningsOf(file: string): Promise<readonly string[]> {
  const text = await readFile(join(root, file), 'utf8')
  const habitual = text.split('\n').flatMap((line, at) =>
    habits.flatMap(([pattern, write]) => {
      const found = pattern.exec(line)?.[0].trim().slice(0, 40)
      return found === undefined ? [] : [`${file}:${at + 1}: ${JSON.stringify(found)}: write ${write}`]
    }),
  )
  return [...habitual, ...longCommentsOf(file, text)]
}

/** True for contracts of stores, whose comments state every guarantee and may be longer. */
const isContract = (file: string): boolean => /^packages\/store\/src\/[a-z-]+\.ts$/.test(file)

/** Sentences that do not count towards the limit: listed values, defaults, results and errors. */
const IS_FACT =
  /^(?:`[^`]+`(?: and `[^`]+`)?:|RECIPE|Laws:|Default|(?:Undefined|False|True|Absent|Null|None|Without)\b|Throws|Rejects|Fails|Durable|Returns (?:false|undefined))/

const sentencesOf = (comment: string): readonly string[] =>
  (comment.split(/ - `?\w| @\w/)[0] ?? '').split(/(?<=[.!?])\s+(?=[A-Z`'"])/).filter(text => !IS_FACT.test(text.trim()))

/** Returns comments of more than two sentences; longer explanations belong in a decision record or a page. */
function longCommentsOf(file: string, text: string): readonly string[] {
  if (!/\.tsx?$/.test(file) || isContract(file)) return []
  return [...text.matchAll(/^[ \t]*(?:\/\*[\s\S]*?\*\/|\/\/ .*(?:\n[ \t]*\/\/ .*)*)/gm)].flatMap(
    ({ 0: comment, index }) => {
      const plain = comment.replace(/^[ \t]*(?:\/?\*+\/?|\/\/)|\*\/$/gm, ' ').replace(/\s+/g, ' ')
      const count = sentencesOf(plain).length
      const line = text.slice(0, index).split('\n').length
      return count > 2 ? [`${file}:${line}: ${count} sentences: write at most two, or a page`] : []
    },
  )
}

const only = process.argv.slice(2).filter(word => !word.startsWith('--'))
const files = (await mustRun('git', ['ls-files']))
  .split('\n')
  .filter(file => isProse(file) && existsSync(join(root, file)))
  .filter(file => only.length === 0 || only.some(path => file.startsWith(path)))
const warnings = (await Promise.all(files.map(warningsOf))).flat()

if (warnings.length > 0) process.exitCode = 1
process.stdout.write([...warnings, `${warnings.length} lines to reword in ${files.length} files\n`].join('\n'))
