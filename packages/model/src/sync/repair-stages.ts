/** Repair stage: the rows were repaired; if their checksum differs again, they are loaded again. */
export const REPAIRED = 1
/** Repair stage: all rows were loaded again. */
export const RENEWED = 2
/** Repair stage: repair and reload did not help. Each run repairs once more, and reports an error. */
export const HOPELESS = 3
