import ts from 'typescript'

const FILE = '/renamed.ts'

/** Returns a source file in which every local name of every function is another one, in the layout of the compiler. */
export function renamedAndFormatted(text: string): string {
  const service = ts.createLanguageService(hostOf(text))
  const source = service.getProgram()?.getSourceFile(FILE)
  if (source === undefined) throw new Error('expected a program with its file')
  const edits = new Map<number, { readonly length: number; readonly text: string }>()
  for (const [at, name] of localNames(source).entries()) {
    const preferences = { providePrefixAndSuffixTextForRename: true }
    for (const place of service.findRenameLocations(FILE, name.getStart(source), false, false, preferences) ?? [])
      edits.set(place.textSpan.start, {
        length: place.textSpan.length,
        text: `${place.prefixText ?? ''}renamed${at}${place.suffixText ?? ''}`,
      })
  }
  const renamed = [...edits]
    .toSorted(([a], [b]) => b - a)
    .reduce((all, [start, edit]) => all.slice(0, start) + edit.text + all.slice(start + edit.length), text)
  return ts.createPrinter().printFile(ts.createSourceFile(FILE, renamed, ts.ScriptTarget.Latest, true))
}

/** The declared names of parameters, variables and functions inside functions. */
function localNames(source: ts.SourceFile): readonly ts.Identifier[] {
  const names: ts.Identifier[] = []
  const visit = (node: ts.Node, isInside: boolean): void => {
    const isDeclared = ts.isVariableDeclaration(node) || ts.isParameter(node) || ts.isBindingElement(node)
    const isLocal = isDeclared || ts.isFunctionDeclaration(node)
    if (isLocal && isInside && node.name !== undefined && ts.isIdentifier(node.name)) names.push(node.name)
    const isFunction = ts.isFunctionLike(node) && 'body' in node && node.body !== undefined
    node.forEachChild(child => visit(child, isInside || isFunction))
  }
  visit(source, false)
  return names
}

function hostOf(text: string): ts.LanguageServiceHost {
  const options = { noLib: true, noResolve: true, target: ts.ScriptTarget.Latest, module: ts.ModuleKind.NodeNext }
  return {
    getCompilationSettings: () => options,
    getScriptFileNames: () => [FILE],
    getScriptVersion: () => '1',
    getScriptSnapshot: name => (name === FILE ? ts.ScriptSnapshot.fromString(text) : undefined),
    getCurrentDirectory: () => '/',
    getDefaultLibFileName: () => '/lib.d.ts',
    fileExists: name => name === FILE,
    readFile: name => (name === FILE ? text : undefined),
  }
}
