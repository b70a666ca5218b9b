/** Mutations a push carries at most. */
export const MAX_MUTATIONS = 500

/** Bytes of a push at most. */
export const MAX_PUSH_BYTES = 1024 * 1024

/** Rows of a page unless the pull says otherwise, and at most. */
export const DEFAULT_PAGE_SIZE = 500
/** Rows of one pull at most. */
export const MAX_PAGE_SIZE = 10_000

/** Ids of an answer about versions, unless it is asked otherwise. */
export const DEFAULT_VERSIONS = 5000

/** Objects that a device gets by id in one request, at most. */
export const MAX_GET_OBJECTS = 500

/** Results of a search for each source, unless it is asked otherwise, and at most. */
export const DEFAULT_SEARCH_RESULTS = 100
/** Objects of one search at most. */
export const MAX_SEARCH_RESULTS = 1000

/** Bytes of a blob in one request at most. */
export const MAX_BLOB_UPLOAD = 1024 * 1024

/** Bytes of a login at most: anybody may send one. */
export const MAX_LOGIN_BYTES = 16 * 1024
