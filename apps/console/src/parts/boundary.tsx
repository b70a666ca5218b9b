import { Component, type ReactNode } from 'react'
import { ErrorState } from './states.js'

interface BoundaryState {
  readonly error?: unknown
}

/** An error boundary: if a page fails or cannot be loaded, the navigation stays. */
export class Boundary extends Component<{ readonly children: ReactNode }, BoundaryState> {
  override state: BoundaryState = {}

  static getDerivedStateFromError(error: unknown): BoundaryState {
    return { error }
  }

  override render(): ReactNode {
    if (this.state.error === undefined) return this.props.children
    // A page of another build is only available after a reload.
    return <ErrorState error={this.state.error} retry={() => location.reload()} />
  }
}
