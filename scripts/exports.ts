/** Fails if a published package exports a name without a doc comment, which editors and the packed declarations show. */
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

/** Returns the location of a symbol without a doc comment; undefined if it has one, or belongs to a library. */
function problemOf(symbol: ts.Symbol): string | undefined {
  const declared = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
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
const missing = new Set(names.flatMap(name => problemOf(name) ?? []))
if (missing.size > 0) process.exitCode = 1
process.stdout.write(`${[...missing, `${missing.size} exports without a comment, of ${names.length}`].join('\n')}\n`)
