/**
 * Fails if a published package exports a name without a doc comment, which editors and the packed declarations show, or if one of `WITH_EXAMPLES` or
 * its methods has no example.
 */
import { join, relative } from 'node:path'
import ts from 'typescript'
import { isPublished, root, workspacePackages } from './workspace.ts'

/** Returns the source files of the `source` conditions in `exports`. */
function sourcesIn(exports: unknown): readonly string[] {
  if (typeof exports !== 'object' || exports === null) return []
  return Object.entries(exports).flatMap(([condition, target]) =>
    condition === 'source' && typeof target === 'string' ? [target] : sourcesIn(target),
  )
}

const { config } = ts.readConfigFile(join(root, 'tsconfig.base.json'), ts.sys.readFile)
const { options } = ts.convertCompilerOptionsFromJson(
  {
    ...config.compilerOptions,
    lib: ['ES2024', 'DOM', 'DOM.Iterable'],
    jsx: 'react-jsx',
    types: ['node'],
    rootDir: '.',
  },
  root,
)
const entries = workspacePackages()
  .filter(isPublished)
  .flatMap(({ folder, manifest }) => [...new Set(sourcesIn(manifest.exports))].map(file => join(folder, file)))
const program = ts.createProgram(entries, { ...options, noEmit: true })
const checker = program.getTypeChecker()

/** What the author of an app or a backend meets first. */
const WITH_EXAMPLES: ReadonlySet<string> = new Set(['defineSource', 'TypedModel'])

const aliased = (symbol: ts.Symbol): ts.Symbol =>
  symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol

/** Returns the names that have no example: the symbol, or the methods of an interface. */
function withoutExample(symbol: ts.Symbol): readonly string[] {
  if (!WITH_EXAMPLES.has(symbol.name)) return []
  const declared = aliased(symbol)
  const isInterface = (declared.flags & ts.SymbolFlags.Interface) !== 0
  const members = isInterface ? checker.getDeclaredTypeOfSymbol(declared).getProperties() : [declared]
  return members
    .filter(({ flags }) => (flags & (ts.SymbolFlags.Method | ts.SymbolFlags.Function)) !== 0)
    .filter(member => !member.getJsDocTags(checker).some(({ name }) => name === 'example'))
    .map(({ name }) => `${symbol.name}: expected an @example of ${name}, got none`)
}

/** Returns the location of a symbol without a doc comment; undefined if it has one, or belongs to a library. */
function problemOf(symbol: ts.Symbol): string | undefined {
  const declared = aliased(symbol)
  const [declaration] = declared.declarations ?? []
  const source = declaration?.getSourceFile()
  if (!declaration || !source || source.fileName.includes('/node_modules/')) return undefined
  if (declared.getDocumentationComment(checker).length > 0) return undefined
  const line = source.getLineAndCharacterOfPosition(declaration.getStart(source)).line + 1
  return `${relative(root, source.fileName)}:${line}: ${symbol.name}: write what it is or does`
}

const modules = entries.flatMap(entry => {
  const source = program.getSourceFile(entry)
  const symbol = source && checker.getSymbolAtLocation(source)
  return symbol ? [symbol] : []
})
const names = modules.flatMap(module => checker.getExportsOfModule(module))
const missing = new Set(names.flatMap(name => [problemOf(name) ?? [], withoutExample(name)].flat()))
if (missing.size > 0) process.exitCode = 1
process.stdout.write(
  `${[...missing, `${missing.size} exports without a comment or example, of ${names.length}`].join('\n')}\n`,
)
