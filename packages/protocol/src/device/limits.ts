/** Maximum number of mutations in a push. */
export const MAX_MUTATIONS = 500

/** Maximum size of a push, in bytes. */
export const MAX_PUSH_BYTES = 1024 * 1024

/** Maximum length of a value in `was`, in characters of its canonical text; of longer values, a digest travels. */
export const MAX_WAS_VALUE = 256

/** Default number of rows in a page. */
export const DEFAULT_PAGE_SIZE = 500
/** Maximum number of rows in a page. */
export const MAX_PAGE_SIZE = 10_000

/** Maximum number of partitions in one pull. */
export const MAX_PULLS = 1000

/** Default number of ids in a page of versions. */
export const DEFAULT_VERSIONS = 5000

/** Maximum number of objects that a device requests by id at once. */
export const MAX_GET_OBJECTS = 500

/** Default number of search results for each source. */
export const DEFAULT_SEARCH_RESULTS = 100
/** Maximum number of search results for each source. */
export const MAX_SEARCH_RESULTS = 1000

/** Maximum size of one part of a blob upload, in bytes. */
export const MAX_BLOB_UPLOAD = 1024 * 1024

/** Maximum size of a login request, in bytes. Small, because unauthenticated callers may send one. */
export const MAX_LOGIN_BYTES = 16 * 1024
