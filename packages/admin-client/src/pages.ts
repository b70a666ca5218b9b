/** Entries that one request asks for. */
const PAGE = 500

/** Which page: what stands behind the last item of the one before. */
export interface PageQuery<Position> {
  readonly after?: Position
  readonly limit: number
}

/** All items of a list, in the server's order. A page is requested when the one before has been read; a page that is not full is the last. */
export async function* pages<T, Position = string>(
  read: (page: PageQuery<Position>) => Promise<readonly T[]>,
  positionOf: (item: T) => Position,
): AsyncGenerator<T, undefined> {
  for (let next: PageQuery<Position> = { limit: PAGE }; ; ) {
    const page = await read(next)
    yield* page
    const last = page.at(-1)
    // A server that knows no pages answers all at once, in whatever length.
    if (last === undefined || page.length !== PAGE) return
    next = { after: positionOf(last), limit: PAGE }
  }
}
