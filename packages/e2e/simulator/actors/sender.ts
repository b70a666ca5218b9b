/** The sender of messages: a dead process receives nothing. */
export interface Sender {
  readonly name: string
  readonly isDead: boolean
  /** Called when an answer arrives. */
  touch(): void
}
