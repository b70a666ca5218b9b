/** Objects received or removed, and mutations sent. */
export interface Counts {
  readonly received: number
  readonly sent: number
}

export const NO_COUNTS: Counts = { received: 0, sent: 0 }

export const plus = (one: Counts, other: Counts): Counts => ({
  received: one.received + other.received,
  sent: one.sent + other.sent,
})

/** Returns the difference between two counts of a source. */
export const since = (now: Counts, before: Counts): Counts => ({
  received: now.received - before.received,
  sent: now.sent - before.sent,
})
