interface Call {
  readonly name: string
  readonly values: never[]
}

/** The scope of a dedicated worker, as far as it is used. */
const scope = globalThis as unknown as {
  addEventListener(type: 'message', hear: (event: { readonly data: Call }) => void): void
  postMessage(message: unknown): void
}

/** Lets the page call functions of this worker by name. */
export function serve(functions: { readonly [name: string]: (...values: never[]) => unknown }): void {
  scope.addEventListener('message', async ({ data }) => {
    const answer = await Promise.resolve()
      .then(() => functions[data.name]?.(...data.values))
      .then(
        result => ({ result }),
        (error: unknown) => ({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
      )
    scope.postMessage(answer)
  })
}
