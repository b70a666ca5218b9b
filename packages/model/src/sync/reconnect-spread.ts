/**
 * Over how many milliseconds the devices of a server spread when all lose their streams, as this one was told. Who connects first after a
 * restart is told of few: until the first heartbeat what was told before counts too.
 */
export class ReconnectSpread {
  #before = 0
  #told = 0

  get milliseconds(): number {
    return Math.max(this.#before, this.#told)
  }

  /** A stream is opened. */
  begin(): void {
    this.#before = this.milliseconds
    this.#told = 0
  }

  tell(milliseconds: number): void {
    this.#told = milliseconds
  }

  /** A heartbeat came: had what was told changed, it would have come with it. */
  confirm(): void {
    this.#before = this.#told
  }
}
