import ts from 'typescript'

export interface Citation {
  readonly id: string
  readonly file: string
}

const runners = ['test', 'it', 'describe']
const idle = ['skip', 'todo', 'failing']

/** The ids that the tests of a file hand to `verifies`. Comments, titles and tests that do not run cite nothing. */
export function citationsIn(text: string, file: string): readonly Citation[] {
  if (!text.includes('verifies(')) return []
  return idsIn(ts.createSourceFile(file, text, ts.ScriptTarget.Latest)).map(id => ({ id, file }))
}

function idsIn(node: ts.Node): readonly string[] {
  if (ts.isCallExpression(node) && isIdle(node.expression)) return []
  if (isVerifies(node)) return node.arguments.filter(ts.isStringLiteralLike).map(({ text }) => text)
  const ids: string[] = []
  ts.forEachChild(node, child => {
    ids.push(...idsIn(child))
  })
  return ids
}

const isVerifies = (node: ts.Node): node is ts.CallExpression =>
  ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'verifies'

/** True of `test.skip`, `describe.skip.each(table)`, `xit` and their kin. */
function isIdle(callee: ts.Expression): boolean {
  if (ts.isIdentifier(callee)) return runners.some(runner => callee.text === `x${runner}`)
  if (ts.isCallExpression(callee)) return isIdle(callee.expression)
  if (ts.isTaggedTemplateExpression(callee)) return isIdle(callee.tag)
  if (!ts.isPropertyAccessExpression(callee)) return false
  return isIdle(callee.expression) || (idle.includes(callee.name.text) && isRunner(callee.expression))
}

function isRunner(callee: ts.Expression): boolean {
  if (ts.isPropertyAccessExpression(callee)) return isRunner(callee.expression)
  return ts.isIdentifier(callee) && runners.includes(callee.text)
}
