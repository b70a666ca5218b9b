import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CONTENTS } from './contents.ts'
import { addressOf, FRONT, pathInSite, root } from './pages.ts'

const textOf = (file: string): string => readFileSync(join(root, file === FRONT ? 'README.md' : file), 'utf8')

/** Writes what programs read: each page as Markdown beside it, `llms.txt` that lists them, and `llms-full.txt` with the guides. */
export function writePlainText(folder: string, files: readonly string[]): void {
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  for (const file of files) write(pathInSite(file), textOf(file))
  const [, summary = ''] = textOf(FRONT).split('\n\n')
  const sections = CONTENTS.map(({ title, entries }) => {
    const lines = entries.map(({ file, label }) => `- [${label}](${addressOf(file).replace(/\/$/, '/index')}.md)`)
    return `## ${title}\n\n${lines.join('\n')}\n`
  })
  write('llms.txt', [`# Godwit\n\n> ${summary.replaceAll('\n', ' ')}\n`, ...sections].join('\n'))
  const guides = [FRONT, ...CONTENTS.flatMap(({ entries }) => entries.map(({ file }) => file))]
  write('llms-full.txt', guides.map(file => `<!-- ${addressOf(file)} -->\n\n${textOf(file)}`).join('\n'))
}
