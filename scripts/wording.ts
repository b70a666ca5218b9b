/**
 * Lists lines whose wording is a habit of this repository rather than the English of the field, all or those below a path.
 * `--check` fails where a package has more of them than `scripts/wording.json` allows; `--update` sets those bounds to the present counts.
 */
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
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
  /\.(ts|tsx|js|mjs|md)$/.test(file) && !/^scripts\/wording\.|\.pins\./.test(file)

async function warningsOf(file: string): Promise<readonly string[]> {
  const lines = (await readFile(join(root, file), 'utf8')).split('\n')
  return lines.flatMap((line, at) =>
    habits.flatMap(([pattern, write]) => {
      const found = pattern.exec(line)?.[0].trim().slice(0, 40)
      return found === undefined ? [] : [`${file}:${at + 1}: ${JSON.stringify(found)}: write ${write}`]
    }),
  )
}

/** The package or app that a file belongs to; `repository` for all others. */
const areaOf = (file: string): string => /^(?:packages|apps)\/[^/]+/.exec(file)?.[0] ?? 'repository'

const BOUNDS = 'scripts/wording.json'
const words = process.argv.slice(2)
const only = words.filter(word => !word.startsWith('--'))
const files = (await mustRun('git', ['ls-files']))
  .split('\n')
  .filter(file => isProse(file) && existsSync(join(root, file)))
const chosen = only.length === 0 ? files : files.filter(file => only.some(path => file.startsWith(path)))
const warnings = (await Promise.all(chosen.map(warningsOf))).flat()

const counts = new Map<string, number>()
for (const warning of warnings) counts.set(areaOf(warning), (counts.get(areaOf(warning)) ?? 0) + 1)

if (words.includes('--update')) {
  const sorted = [...counts].sort(([one], [other]) => (one < other ? -1 : 1))
  await writeFile(join(root, BOUNDS), `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`)
} else if (words.includes('--check')) {
  const bounds = JSON.parse(await readFile(join(root, BOUNDS), 'utf8')) as Readonly<Record<string, number>>
  const grown = [...counts].filter(([area, count]) => count > (bounds[area] ?? 0))
  for (const [area, count] of grown)
    process.stderr.write(
      `${warnings.filter(warning => areaOf(warning) === area).join('\n')}\n` +
        `${area}: expected at most ${bounds[area] ?? 0} such lines, got ${count}: reword the new ones\n`,
    )
  if (grown.length > 0) process.exitCode = 1
} else process.stdout.write(`${warnings.join('\n')}\n`)
process.stdout.write(`${warnings.length} lines to reword in ${chosen.length} files\n`)
