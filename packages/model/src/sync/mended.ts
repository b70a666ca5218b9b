/** The rows were repaired, and their sum differs again: they come anew. */
export const REPAIRED = 1
/** They came anew. */
export const RENEWED = 2
/** What could help was done. From here on one repair a run, and an error. */
export const HOPELESS = 3
