/** How far clocks of one store may differ or be set back before that shows, in milliseconds. */
export const CLOCK_SLACK = 60_000

/** True when something was written under a clock that was ahead of the present one: what waits since then would wait for all that time too, so it counts as past. */
export const isFromClockAhead = (writtenAt: number, now: number): boolean => writtenAt > now + CLOCK_SLACK
