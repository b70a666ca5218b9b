/** Decides whether a device user may log in; may also give the attributes of a user that is new here. */
export type Authenticate = (
  login: string,
  password: string,
) => Promise<boolean | { readonly attributes?: { readonly [name: string]: unknown } }>
