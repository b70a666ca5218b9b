/** Reads the contract's documentation: the doc comments of routes and messages, and the admin client's call for each route. */
import { join } from 'node:path'
import ts from 'typescript'
import type { Contract, MemberDocs, MessageDocs, RouteDocs } from '../../packages/server/src/http/openapi/contract.ts'
import { root } from '../workspace.ts'
import { adminCalls } from './admin-calls.ts'

const SOURCES = join(root, 'packages/protocol/src/')

/** Compiles the contract, so that doc comments are found through imports and mapped types. Throws for a part without one. */
export function readContract(): Contract {
  const [routes, problem] = [join(SOURCES, 'routes.ts'), join(SOURCES, 'errors/problem.ts')]
  const client = join(root, 'packages/admin-client/src/admin-client.ts')
  const program = ts.createProgram([routes, problem, client], COMPILER_OPTIONS)
  const file = (path: string): ts.SourceFile => program.getSourceFile(path) as ts.SourceFile
  const checker = program.getTypeChecker()
  return new ContractReader(checker, adminCalls(file(client), checker)).read(file(routes), file(problem))
}

const COMPILER_OPTIONS: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  customConditions: ['source'],
}

class ContractReader {
  readonly #checker: ts.TypeChecker
  readonly #calls: ReadonlyMap<string, string>
  readonly #messages = new Map<string, MessageDocs>()
  readonly #missing: string[] = []

  constructor(checker: ts.TypeChecker, calls: ReadonlyMap<string, string>) {
    this.#checker = checker
    this.#calls = calls
  }

  read(routes: ts.SourceFile, problem: ts.SourceFile): Contract {
    this.#messageOf(this.#checker.getDeclaredTypeOfSymbol(this.#exported(problem, 'Problem')))
    const table = this.#exported(routes, 'routes')
    const groups = Object.fromEntries(this.#membersOf(table).map(group => [group.name, this.#group(group)]))
    if (this.#missing.length > 0) throw new Error(`These have no docs in the contract: ${this.#missing.join(', ')}.`)
    const messages = [...this.#messages].sort(([one], [other]) => (one < other ? -1 : 1))
    return { groups, messages: Object.fromEntries(messages) }
  }

  #exported(file: ts.SourceFile, name: string): ts.Symbol {
    const exported = this.#checker.getExportsOfModule(this.#checker.getSymbolAtLocation(file) as ts.Symbol)
    return exported.find(one => one.name === name) as ts.Symbol
  }

  #membersOf(symbol: ts.Symbol): readonly ts.Symbol[] {
    return this.#checker.getPropertiesOfType(this.#checker.getTypeOfSymbol(symbol))
  }

  #group(group: ts.Symbol) {
    const { initializer } = group.valueDeclaration as ts.PropertyAssignment
    const imported = this.#checker.getSymbolAtLocation(initializer) as ts.Symbol
    const table = this.#checker.getAliasedSymbol(imported)
    const routes = this.#membersOf(table).map(route => [route.name, this.#route(route, group.name)] as const)
    return { description: this.#docsOf(table, group.name), routes: Object.fromEntries(routes) }
  }

  /** Reads a route: `route<{ body: PushObjects; answer: Written }>()({ method, path, … })`. */
  #route(route: ts.Symbol, group: string): RouteDocs {
    const { initializer } = route.valueDeclaration as ts.PropertyAssignment
    const call = initializer as ts.CallExpression
    const [types] = (call.expression as ts.CallExpression).typeArguments ?? []
    const members = types && ts.isTypeLiteralNode(types) ? types.members : []
    const named = members.flatMap(member => {
      const name = this.#messageOf(this.#checker.getTypeAtLocation(member))
      return name === undefined ? [] : [[(member.name as ts.Identifier).text, name] as const]
    })
    const adminCall = this.#calls.get(`${group}.${route.name}`)
    if (group !== 'device' && adminCall === undefined)
      throw new Error(`expected a method of the admin client for the route ${group}.${route.name}, got none`)
    return {
      description: this.#docsOf(route, `${group}.${route.name}`),
      ...Object.fromEntries(named),
      ...(adminCall !== undefined && { call: adminCall }),
    }
  }

  /** Returns the message's name of a type, or of its elements, values or non-null part. Undefined for other types. */
  #messageOf(given: ts.Type): string | undefined {
    const type = this.#checker.getNonNullableType(given)
    const parts = type.isUnion() ? type.types.filter(part => part.flags & ts.TypeFlags.Object) : [type]
    const [part] = parts
    if (parts.length > 1 && isOurs(type.aliasSymbol) && parts.every(one => isOurs(one.symbol)))
      return this.#union(type.aliasSymbol, parts)
    if (parts.length !== 1 || part === undefined) return undefined
    const element = this.#checker.isArrayType(part)
      ? this.#checker.getTypeArguments(part as ts.TypeReference)[0]
      : undefined
    if (element) return this.#messageOf(element)
    const symbol = part.aliasSymbol ?? part.symbol
    if (!isOurs(symbol)) return undefined
    if (symbol.name !== '__type') return this.#message(symbol, part)
    const values = part.getStringIndexType()
    return values && this.#messageOf(values)
  }

  /** Returns the name of a union of messages; undefined if one of them has no name. */
  #union(symbol: ts.Symbol, parts: readonly ts.Type[]): string | undefined {
    if (parts.some(part => part.symbol.name === '__type')) return undefined
    for (const part of parts) this.#message(part.symbol, part)
    this.#messages.set(symbol.name, { description: this.#docsOf(symbol, symbol.name), isUnion: true })
    return symbol.name
  }

  #message(symbol: ts.Symbol, type: ts.Type): string {
    const { name } = symbol
    if (this.#messages.has(name)) return name
    this.#messages.set(name, { description: '' })
    const values = type.getStringIndexType()
    const members = type.getProperties().map(member => [member.name, this.#member(member, name)] as const)
    const value = values && this.#messageOf(values)
    this.#messages.set(name, {
      description: this.#docsOf(symbol, name),
      ...(members.length > 0 && { members: Object.fromEntries(members) }),
      ...(values && { isMap: true }),
      ...(value !== undefined && { values: value }),
    })
    return name
  }

  #member(member: ts.Symbol, owner: string): MemberDocs {
    const message = this.#messageOf(this.#checker.getTypeOfSymbol(member))
    const description = this.#text(member) || this.#textOfType(member)
    if (!description) this.#missing.push(`${owner}.${member.name}`)
    return { description: description ?? '', ...(message !== undefined && { message }) }
  }

  /** Returns the doc comment of a member's declared type. */
  #textOfType(member: ts.Symbol): string | undefined {
    const { type } = member.valueDeclaration as ts.PropertySignature
    if (!type || !ts.isTypeReferenceNode(type)) return undefined
    const symbol = this.#checker.getSymbolAtLocation(type.typeName) as ts.Symbol
    return this.#text(symbol.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol)
  }

  #docsOf(symbol: ts.Symbol, name: string): string {
    const text = this.#text(symbol)
    if (text === '') this.#missing.push(name)
    return text
  }

  #text(symbol: ts.Symbol): string {
    return ts.displayPartsToString(symbol.getDocumentationComment(this.#checker)).trim()
  }
}

const isOurs = (symbol: ts.Symbol | undefined): symbol is ts.Symbol =>
  symbol?.declarations?.some(one => one.getSourceFile().fileName.startsWith(SOURCES)) === true
