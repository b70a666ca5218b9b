/** Checks documents: lines wrap at 120 columns, links to files and headings resolve, and each promise of SECURITY.md links to a test. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { headingAnchors } from './heading-anchors.ts'
import { mustRun } from './run.ts'
import { root } from './workspace.ts'

const COLUMNS = 120
const command = ['ls-files', '--cached', '--others', '--exclude-standard', '*.md']
const files = (await mustRun('git', command)).split('\n').filter(file => file !== '' && existsSync(join(root, file)))

interface Line {
  readonly number: number
  readonly text: string
}

/** Returns the lines outside code blocks. */
function proseOf(file: string): readonly Line[] {
  let isCode = false
  return readFileSync(join(root, file), 'utf8')
    .split('\n')
    .map((text, at) => ({ number: at + 1, text }))
    .filter(({ text }) => {
      if (!/^\s*(```|~~~)/.test(text)) return !isCode
      isCode = !isCode
      return false
    })
}

/** True if a line is too long, except for what Markdown cannot wrap: table rows, pictures, and a single word. */
const isTooLong = ({ text }: Line): boolean =>
  text.length > COLUMNS && !/^\s*(\||!\[.*\)$)/.test(text) && /\S\s+\S/.test(text.slice(0, COLUMNS).trim())

/** Returns GitHub's anchors of the headings of a page. */
function anchorsOf(file: string): ReadonlySet<string> {
  const headings = proseOf(file).flatMap(({ text }) => /^#{1,6} +(.*)$/.exec(text)?.[1] ?? [])
  return new Set(headingAnchors(headings))
}

const isMarkdown = (path: string): boolean => path.endsWith('.md') && existsSync(join(root, path))

function linksIn(file: string): readonly (Line & { readonly target: string })[] {
  return proseOf(file).flatMap(({ number, text }) => {
    const prose = text.replace(/`[^`]*`/g, '')
    return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => ({ number, text, target }))
  })
}

function brokenLink(file: string, target: string): string | undefined {
  if (/^[a-z]+:/.test(target)) return undefined
  const [path = '', anchor] = target.split('#')
  const found = path === '' ? file : normalize(join(dirname(file), decodeURIComponent(path)))
  if (!existsSync(join(root, found))) return `expected a file, got ${target}`
  if (anchor === undefined || !isMarkdown(found) || anchorsOf(found).has(anchor)) return undefined
  return `expected a heading of ${found}, got #${anchor}`
}

const tooLong = files
  .filter(file => !file.startsWith('.changeset/'))
  .flatMap(file =>
    proseOf(file)
      .filter(isTooLong)
      .map(({ number, text }) => `${file}:${number}: expected at most ${COLUMNS} columns, got ${text.length}`),
  )
const broken = files.flatMap(file =>
  linksIn(file).flatMap(({ number, target }) => {
    const fault = brokenLink(file, target)
    return fault === undefined ? [] : [`${file}:${number}: ${fault}`]
  }),
)
/** True for a test file, or a suite that several tests run and whose name lacks `.test`. */
const isOfTests = (target: string): boolean => /\.test\.ts$|\/conformance\/|\/suite\//.test(target)
const untested = proseOf('SECURITY.md')
  .filter(({ text }) => text.startsWith('| ') && !/^\| (promise|---) /.test(text))
  .filter(({ text }) => ![...text.matchAll(/\]\(([^)\s]+)\)/g)].some(([, target = '']) => isOfTests(target)))
  .map(({ number }) => `SECURITY.md:${number}: expected a link to the test of this promise`)
const problems = [...tooLong, ...broken, ...untested]
if (problems.length > 0) {
  process.stderr.write(`${problems.join('\n')}\n`)
  process.exit(1)
}
process.stdout.write(`${files.length} documents: lines wrap at ${COLUMNS} columns, links lead somewhere\n`)
