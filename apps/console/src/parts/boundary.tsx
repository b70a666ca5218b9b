import { Component, type ReactNode } from 'react'
import { isReachable } from '../api.js'
import { ErrorState } from './states.js'

interface BoundaryState {
  readonly error?: unknown
}

/** Milliseconds between attempts to reach the server. */
const PROBE_INTERVAL = 2000

/** An error boundary: if a page fails or cannot be loaded, the navigation stays. A page that the server could not deliver is loaded once it responds. */
export class Boundary extends Component<{ readonly children: ReactNode }, BoundaryState> {
  override state: BoundaryState = {}
  #timer: ReturnType<typeof setTimeout> | undefined

  static getDerivedStateFromError(error: unknown): BoundaryState {
    return { error }
  }

  override componentDidCatch(): void {
    void this.#probe(false)
  }

  override componentWillUnmount(): void {
    clearTimeout(this.#timer)
  }

  override render(): ReactNode {
    if (this.state.error === undefined) return this.props.children
    // A page of another build is only available after a reload.
    return <ErrorState error={this.state.error} retry={() => location.reload()} />
  }

  /** Reloads only if the server was away: another cause would remain. */
  async #probe(wasAway: boolean): Promise<void> {
    if (await isReachable()) {
      if (wasAway) location.reload()
      return
    }
    this.#timer = setTimeout(() => void this.#probe(true), PROBE_INTERVAL)
  }
}
