/** Fails if an error message departs from the grammar: `expected X, got Y`, or what is wrong and then what to do. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import ts from 'typescript'
import { mustRun } from './run.ts'
import { root } from './workspace.ts'

const habits: readonly (readonly [pattern: RegExp, write: string])[] = [
  [/^Expected /, 'expected …, in small letters'],
  [/\bmust\b|\bshould\b/i, 'expected X, got Y'],
  [/; [^;`]* came\b/, 'expected X, got Y'],
  [/\b(?:somebody|nobody|whoever)\b/i, 'the user, the client, the process: which one'],
  [/\b(?:invalid|illegal|please|sorry|oops)\b/i, 'what is wrong, then what to do'],
  [/(?<!\bthere )\bis no (?!longer\b)/i, 'is not a …'],
  [/!(?!=)/, 'no exclamation mark'],
]

/** Exempted texts, which users know and a test pins, or which a library compares. */
const kept: readonly string[] = [
  'Expected a token as `godwit token create` prints it,',
  'This file is no picture that this browser can read.',
  'sources: expected an array of what defineSource makes.',
  'origins: expected an array of texts.',
  'godwit … has no option ….',
  'godwit … expects …',
  'The backend answered …….',
  'must not hold NUL.',
  'must differ by more than case.',
  'Connection is closed.',
  'a database that is no number',
]

/**
 * Returns the flaws of an error message, which says "expected X, got Y", or what is wrong and then what to do.
 * For a fragment, which is part of a longer message, only the words are checked.
 */
export function flawsOf(message: string, { isFragment = false } = {}): readonly string[] {
  if (kept.some(text => message.includes(text))) return []
  const flaws = habits.flatMap(([pattern, write]) => {
    const found = pattern.exec(message)?.[0].trim()
    return found === undefined ? [] : [`${JSON.stringify(found)}: write ${write}`]
  })
  const flaw = isFragment ? undefined : shapeFlaw(message)
  return flaw === undefined ? flaws : [...flaws, flaw]
}

function shapeFlaw(message: string): string | undefined {
  if (/\bexpected\b/i.test(message))
    return /\b(?:got|found)\b|: expected (?:one|some) of\b/.test(message)
      ? undefined
      : 'say what came: expected X, got Y'
  return /^There is no |[.:;,] \S/.test(message) ? undefined : 'say what to do: what is wrong, then what to do'
}

interface Text {
  readonly node: ts.Node
  /** The text, with `…` for each interpolated value. */
  readonly text: string
}

interface Message extends Text {
  readonly isFragment: boolean
}

/** True if users can see the file's errors; those of tests and test helpers are for developers. */
const isForUsers = (file: string): boolean =>
  /^(?:apps|packages)\//.test(file) &&
  !/\.(?:test|fixture)\.tsx?$|\/(?:testing|conformance|suite)\/|^packages\/(?:bench|e2e|testing)\//.test(file)

/** Returns the possible texts of an expression; none if another file or function decides. */
function textsOf(node: ts.Node, scope: ReadonlyMap<string, ts.Expression>): readonly Text[] {
  if (ts.isStringLiteralLike(node)) return [{ node, text: node.text }]
  if (ts.isTemplateExpression(node)) {
    const text = node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('')
    return [{ node, text }]
  }
  if (ts.isParenthesizedExpression(node)) return textsOf(node.expression, scope)
  if (ts.isConditionalExpression(node)) return [...textsOf(node.whenTrue, scope), ...textsOf(node.whenFalse, scope)]
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    const [left, right] = [textsOf(node.left, scope)[0], textsOf(node.right, scope)[0]]
    return [{ node, text: `${left?.text ?? '…'}${right?.text ?? '…'}` }]
  }
  const value = ts.isIdentifier(node) ? scope.get(node.text) : undefined
  return value === undefined || ts.isIdentifier(value) ? [] : textsOf(value, scope)
}

/** Functions that create an error from a text, possibly as part of a longer message. */
const MAKERS = /^(?:invalid\w*|refusal|refused|failed|unexpected|unreadable|wrong|[a-z]\w*Error)$/

/** Returns the message expressions of a node, each with whether it may be a part of a message. */
function messageIn(node: ts.Node, source: ts.SourceFile): readonly (readonly [ts.Expression, boolean])[] {
  if (ts.isNewExpression(node) && /Error$/.test(node.expression.getText(source))) {
    const message = node.arguments?.[node.expression.getText(source) === 'SyncError' ? 1 : 0]
    return message ? [[message, false]] : []
  }
  if (!ts.isCallExpression(node) || !MAKERS.test(node.expression.getText(source))) return []
  return node.arguments.map(argument => [argument, true])
}

function messagesOf(source: ts.SourceFile): readonly Message[] {
  const scope = new Map<string, ts.Expression>()
  const messages: Message[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer)
      scope.set(node.name.text, node.initializer)
    for (const [message, isPart] of messageIn(node, source))
      for (const { node: at, text } of textsOf(message, scope))
        messages.push({ node: at, text, isFragment: isPart || text.startsWith('…') })
    ts.forEachChild(node, visit)
  }
  visit(source)
  return messages
}

async function problemsIn(file: string): Promise<readonly string[]> {
  const source = ts.createSourceFile(file, await readFile(join(root, file), 'utf8'), ts.ScriptTarget.Latest)
  return messagesOf(source).flatMap(({ node, text, isFragment }) => {
    const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1
    return flawsOf(text, { isFragment }).map(flaw => `${file}:${line}: ${flaw}: ${text}`)
  })
}

if (import.meta.main) {
  const files = (await mustRun('git', ['ls-files', '*.ts', '*.tsx'])).split('\n').filter(isForUsers)
  const problems = (await Promise.all(files.map(problemsIn))).flat()
  if (problems.length > 0) process.exitCode = 1
  process.stdout.write(`${[...problems, `${problems.length} messages of errors to reword`].join('\n')}\n`)
}
