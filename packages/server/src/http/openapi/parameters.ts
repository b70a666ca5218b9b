import type { Parameters, Routes } from '@godwit/protocol'

type ParameterNames<Table> = { [Name in keyof Table]: keyof Parameters<Table[Name]> }[keyof Table]

/** What stands in paths. A parameter without its line here does not compile. */
export const PARAMETERS: {
  readonly [Name in { [Group in keyof Routes]: ParameterNames<Routes[Group]> }[keyof Routes]]: string
} = {
  bulk_id: 'The id of a bulk file, as its answer gives it.',
  client_id: 'The id of a client (device).',
  doc: 'The name of a document.',
  hash: 'SHA-256 of a blob or a bulk file, in 64 lower-case hexadecimal digits.',
  mutation_id: 'The id of a mutation, as the list of undecided ones gives it.',
  partition_type: '`app`: one copy for all users. `user`: one for each.',
  refusal_id: 'The id of a refused mutation, as the list of refusals gives it.',
  source_id: 'The name of a source.',
  source_name: 'The name of a source.',
  token_id: 'The id of a token, as the list of tokens gives it; never the token itself.',
  user_id: 'A login. `*` means the shared partition of an app source, where a source is named too.',
}
