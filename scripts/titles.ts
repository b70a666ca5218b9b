/** Checks the titles of tests: a fact of at most 100 characters that names no requirement, which `verifies` in the body does. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import ts from 'typescript'
import { mustRun } from './run.ts'
import { root } from './workspace.ts'

const LIMIT = 100
const requirement = /\[(rest|model|behaviour)\.[a-z]/

/** True for `test`, `it` and `describe`, and for members and calls of them: `test.each(rows)`, `describe.skip`. */
function isRunner(callee: ts.Expression): boolean {
  if (ts.isIdentifier(callee)) return ['test', 'it', 'describe'].includes(callee.text)
  if (ts.isCallExpression(callee)) return isRunner(callee.expression)
  if (ts.isTaggedTemplateExpression(callee)) return isRunner(callee.tag)
  return ts.isPropertyAccessExpression(callee) && isRunner(callee.expression)
}

function textOf(title: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(title)) return title.text
  if (!ts.isTemplateExpression(title)) return undefined
  return title.head.text + title.templateSpans.map(({ literal }) => `%s${literal.text}`).join('')
}

function problemsIn(file: string, text: string): readonly string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest)
  const problems: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isRunner(node.expression)) {
      const [first] = node.arguments
      const title = first && textOf(first)
      const line = first ? source.getLineAndCharacterOfPosition(first.getStart(source)).line + 1 : 0
      if (title !== undefined && title.length > LIMIT)
        problems.push(`${file}:${line}: expected a title of at most ${LIMIT} characters, got ${title.length}: ${title}`)
      if (title !== undefined && requirement.test(title))
        problems.push(`${file}:${line}: expected verifies('…') in the body, got a requirement in the title: ${title}`)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return problems
}

const files = (await mustRun('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.tsx']))
  .split('\n')
  .filter(file => file !== '')
const problems = await Promise.all(files.map(async file => problemsIn(file, await readFile(join(root, file), 'utf8'))))
const all = problems.flat()
if (all.length > 0) {
  process.stderr.write(`${all.join('\n')}\n`)
  process.exit(1)
}
process.stdout.write(`every title has at most ${LIMIT} characters\n`)
