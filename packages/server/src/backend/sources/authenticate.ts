/** Decides whether a device user may log in; may also return the attributes of a user that is not in the registry yet. */
export type Authenticate = (
  login: string,
  password: string,
) => Promise<boolean | { readonly attributes?: { readonly [name: string]: unknown } }>
