/** A process that sends requests; once dead, it receives nothing. */
export interface Sender {
  readonly name: string
  readonly isDead: boolean
  /** Called when a response arrives. */
  touch(): void
}
