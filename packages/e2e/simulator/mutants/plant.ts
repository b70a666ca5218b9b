import { Lang, parse, type SgNode } from '@ast-grep/napi'

/**
 * A pattern of ast-grep (https://ast-grep.github.io/guide/pattern-syntax.html): code in which `$NAME` stands for any one node, and `$$$NAME` for any
 * number of them. A field of a class or a property, which is no statement, is named within its `context` by its kind of node.
 */
export type Pattern = string | { readonly context: string; readonly selector: string }

/** A change of one place in the sources, chosen by structure, which renaming of locals and formatting do not change. */
export interface Fault {
  /** A path in the repository. */
  readonly file: string
  /** The guarded declaration at the top of the file: a function, a constant or a class, or `Class.member`. */
  readonly in: string
  /** Matches exactly one place of the declaration. Local names are written as `$NAME`. */
  readonly find: Pattern
  /** Takes its place; `$NAME` and `$$$NAME` become what they matched. */
  readonly replace: string
}

/** Returns the text of a file with a fault. Throws unless the pattern matches exactly one place of the declaration. */
export function plant(text: string, fault: Fault): string {
  const { file, find, replace } = fault
  const root = parse(Lang.TypeScript, text).root()
  const declaration = declared(root, fault)
  const places = declaration.findAll(typeof find === 'string' ? find : { rule: { pattern: find } })
  const [place] = places
  if (place === undefined || places.length > 1)
    throw new Error(`expected one place like ${JSON.stringify(find)} in ${fault.in} of ${file}, got ${places.length}`)
  return root.commitEdits([place.replace(filled(replace, place, text))])
}

/** Returns the text of the declaration that a fault is in. */
export const guardedText = (text: string, fault: Fault): string =>
  declared(parse(Lang.TypeScript, text).root(), fault).text()

function declared(root: SgNode, { file, in: name }: Pick<Fault, 'file' | 'in'>): SgNode {
  const [first = '', member] = name.split('.')
  const outer = root
    .children()
    .flatMap(node => (node.kind() === 'export_statement' ? [node.field('declaration') ?? node] : [node]))
    .flatMap(node => (node.kind() === 'lexical_declaration' ? node.children() : [node]))
    .find(node => node.field('name')?.text() === first)
  const found =
    member === undefined
      ? outer
      : outer
          ?.field('body')
          ?.children()
          .find(node => node.field('name')?.text() === member)
  if (found === undefined || found === null) throw new Error(`expected ${name} at the top of ${file}, got no such name`)
  return found
}

/** Returns the replacement with what its variables matched. */
function filled(replace: string, place: SgNode, text: string): string {
  return replace.replace(/(\${1,3})([A-Z]+)/g, (_, dollars: string, name: string) => {
    if (dollars === '$') {
      const node = place.getMatch(name)
      if (node === null) throw new Error(`expected $${name} in the pattern of ${JSON.stringify(replace)}`)
      return node.text()
    }
    const nodes = place.getMultipleMatches(name)
    const [start, end] = [nodes[0]?.range().start.index, nodes.at(-1)?.range().end.index]
    return text.slice(start ?? 0, end ?? 0)
  })
}
