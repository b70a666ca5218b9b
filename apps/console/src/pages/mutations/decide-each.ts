/** The number of mutations decided, and the errors of the others. */
export interface DecisionEnd {
  readonly done: number
  readonly failed: readonly string[]
}

/** Decides mutations one by one. An error, such as a decision by another operator meanwhile, does not stop the rest. */
export async function decideEach(
  some: readonly { readonly id: string }[],
  act: (id: string) => Promise<unknown>,
): Promise<DecisionEnd> {
  const failed: string[] = []
  for (const { id } of some)
    await act(id).catch((error: unknown) => failed.push(error instanceof Error ? error.message : String(error)))
  if (failed.length === some.length) throw new Error(failed[0])
  return { done: some.length - failed.length, failed }
}

const mutationCount = (count: number): string => `${count} ${count === 1 ? 'mutation' : 'mutations'}`

/** `did` is a past participle, like `discarded`. */
export function decisionText({ done, failed }: DecisionEnd, did: string): string {
  const says = `${mutationCount(done)} ${done === 1 ? 'was' : 'were'} ${did}`
  if (failed.length === 0) return `${says}.`
  return `${says}; ${mutationCount(failed.length)} ${failed.length === 1 ? 'was' : 'were'} not: ${failed[0]}`
}
