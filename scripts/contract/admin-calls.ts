/** Derives the calls of the admin client from its types: `users.get` → `admin.users.get(user)`. */
import ts from 'typescript'

/** Client groups whose route group has a different name, with the prefix of their route names. */
const GROUPS: { readonly [group: string]: { readonly route: string; readonly prefix: string } } = {
  push: { route: 'plugin', prefix: 'push' },
}

/** Returns the call of every method of the client, by `group.route`. */
export function adminCalls(file: ts.SourceFile, checker: ts.TypeChecker): ReadonlyMap<string, string> {
  const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(file) as ts.Symbol)
  const client = exported.find(({ name }) => name === 'AdminClient') as ts.Symbol
  const calls = new Map<string, string>()
  for (const group of membersOf(checker.getDeclaredTypeOfSymbol(client), checker))
    for (const method of membersOf(group.type, checker)) {
      const text = callsOf(`admin.${group.name}.${method.name}`, method.type, checker).join(', ')
      for (const route of routesOf(group.name, method.name)) calls.set(route, text)
    }
  return calls
}

interface Member {
  readonly name: string
  readonly type: ts.Type
}

const membersOf = (type: ts.Type, checker: ts.TypeChecker): readonly Member[] =>
  checker.getPropertiesOfType(type).map(symbol => ({ name: symbol.name, type: checker.getTypeOfSymbol(symbol) }))

function routesOf(group: string, method: string): readonly string[] {
  const { route = group, prefix = '' } = GROUPS[group] ?? {}
  const prefixed = `${prefix}${method.slice(0, 1).toUpperCase()}${method.slice(1)}`
  return [`${route}.${method}`, ...(prefix ? [`${route}.${prefixed}`] : [])]
}

/** Returns the calls of a method, or of each method in a nested group. */
function callsOf(name: string, type: ts.Type, checker: ts.TypeChecker): readonly string[] {
  const [signature] = type.getCallSignatures().slice(-1)
  if (!signature)
    return membersOf(type, checker).flatMap(member => callsOf(`${name}.${member.name}`, member.type, checker))
  const parameters = signature.parameters.flatMap(parameter => parameterText(parameter, checker))
  return [`${name}(${parameters.join(', ')})`]
}

/** Returns the parameter's name, or for options the names of their members without `signal`. */
function parameterText(parameter: ts.Symbol, checker: ts.TypeChecker): readonly string[] {
  const given = checker.getNonNullableType(checker.getTypeOfSymbol(parameter))
  const type = checker.getBaseConstraintOfType(given) ?? given
  const isOptions = (type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0 && !checker.isArrayType(type)
  if (!isOptions) return [parameter.name]
  const names = checker.getPropertiesOfType(type).flatMap(({ name }) => (name === 'signal' ? [] : [name]))
  const all = type.getStringIndexType() ? [...names, '…'] : names
  return all.length === 0 ? [] : [`{ ${all.join(', ')} }`]
}
