/** Mutations a push carries at most. */
export const MAX_MUTATIONS = 500

/** Bytes of a push at most. */
export const MAX_PUSH_BYTES = 1024 * 1024

/** Rows of a page unless the pull says otherwise, and at most. */
export const DEFAULT_PAGE_SIZE = 500
export const MAX_PAGE_SIZE = 10_000
