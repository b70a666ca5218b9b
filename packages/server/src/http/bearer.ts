/** The secret of a bearer, whose scheme is of any case. Undefined: something else, or nothing, is given. */
export const bearerOf = (authorization: string | undefined): string | undefined =>
  authorization !== undefined && /^bearer /i.test(authorization) ? authorization.slice(7).trim() : undefined
