/** The result of one check. */
export interface CheckResult {
  /** `problem`: the server does not start, or loses data. `warning`: it works, but not as it should. */
  readonly state: 'ok' | 'warning' | 'problem'
  readonly about: string
  readonly says: string
  /** What to do. Absent: nothing. */
  readonly todo?: string
}

export const ok = (about: string, says: string): CheckResult => ({ state: 'ok', about, says })
export const warning = (about: string, says: string, todo: string): CheckResult => ({
  state: 'warning',
  about,
  says,
  todo,
})
export const problem = (about: string, says: string, todo: string): CheckResult => ({
  state: 'problem',
  about,
  says,
  todo,
})

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
