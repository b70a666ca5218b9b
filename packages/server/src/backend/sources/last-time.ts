/** The latest possible date: as the time of the next query, it means that one runs only on request. */
export const LAST_TIME = 8_640_000_000_000_000
