/** The rows were repaired; if their checksum differs again, they are loaded again. */
export const REPAIRED = 1
/** The rows were loaded again. */
export const RENEWED = 2
/** What could help was done. From here on one repair a run, and an error. */
export const HOPELESS = 3
