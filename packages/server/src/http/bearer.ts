/** Returns the token of a bearer `Authorization` header, whose scheme is case-insensitive; undefined for any other value. */
export const bearerOf = (authorization: string | undefined): string | undefined =>
  authorization !== undefined && /^bearer /i.test(authorization) ? authorization.slice(7).trim() : undefined
