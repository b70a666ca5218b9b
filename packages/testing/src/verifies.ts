type Requirement = `${'rest' | 'model'}.${string}`

/**
 * Names the requirements that a test shows: the first statement of its body. It does nothing when it runs; the coverage of
 * packages/e2e/requirements is read from the sources, so every id is a string literal.
 */
export function verifies(..._ids: readonly [Requirement, ...Requirement[]]): void {}
