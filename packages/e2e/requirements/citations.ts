import ts from 'typescript'

export interface Citation {
  readonly id: string
  readonly file: string
}

const bracketed = /\[((?:rest|model|behaviour)\.[^\]]+)\]/g
const runners = ['test', 'it', 'describe']
const idle = ['skip', 'todo', 'failing']

/** The ids that stand in strings of a test file. Comments, computed members and tests that do not run cite nothing. */
export function citationsIn(text: string, file: string): readonly Citation[] {
  if (text.search(bracketed) < 0) return []
  return stringsOf(ts.createSourceFile(file, text, ts.ScriptTarget.Latest)).flatMap(string =>
    [...string.matchAll(bracketed)].flatMap(([, ids = '']) => ids.split(/[\s,]+/).map(id => ({ id, file }))),
  )
}

function stringsOf(node: ts.Node): readonly string[] {
  if (ts.isCallExpression(node) && isIdle(node.expression)) return []
  if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) {
    return [node.text]
  }
  const strings: string[] = []
  ts.forEachChild(node, child => {
    strings.push(...stringsOf(child))
  })
  return strings
}

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
