import { list, object, optional, type Schema, string } from '../schema.js'

/** A session of a user's devices, without its secret. */
export interface UserSession {
  /** Identifies the session; it grants no access. */
  readonly id: string
  /** The clients (devices) that used it last; none before the first sync. */
  readonly clients: readonly string[]
  /** ISO 8601 UTC. */
  readonly created_at: string
  /** ISO 8601 UTC. */
  readonly expires_at: string
  /** Time of the last use, to the minute, ISO 8601 UTC. Absent if not used since its first minute. */
  readonly last_used?: string
}

export const userSessionsSchema: Schema<readonly UserSession[]> = list(
  object<UserSession>({
    id: string(),
    clients: list(string()),
    created_at: string(),
    expires_at: string(),
    last_used: optional(string()),
  }),
)
