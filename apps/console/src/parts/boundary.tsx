import { Component, type ReactNode } from 'react'
import { ErrorState } from './states.js'

interface BoundaryState {
  readonly error?: unknown
}

/** A page that fails, or cannot be fetched, leaves the navigation standing. */
export class Boundary extends Component<{ readonly children: ReactNode }, BoundaryState> {
  override state: BoundaryState = {}

  static getDerivedStateFromError(error: unknown): BoundaryState {
    return { error }
  }

  override render(): ReactNode {
    if (this.state.error === undefined) return this.props.children
    // A page of another build can only come with that build.
    return <ErrorState error={this.state.error} retry={() => location.reload()} />
  }
}
