/** Milliseconds by which clocks of one store may differ, or be set back, without an effect. */
export const CLOCK_SLACK = 60_000

/** True if a row was written while the clock was ahead of the present time. A wait that began then would last too long, so it counts as over. */
export const isFromClockAhead = (writtenAt: number, now: number): boolean => writtenAt > now + CLOCK_SLACK
