import { Wordmark } from '../parts/wordmark.js'

/** Shown while the database opens, or if it cannot. */
export const OpeningPage = ({ problem }: { readonly problem?: string }) => (
  <main className="centre">
    {problem === undefined ? (
      <div className="opening">
        <Wordmark />
        <p className="quiet" role="status">
          Opening this device…
        </p>
      </div>
    ) : (
      <div className="card trouble" role="alert">
        <h1>This device cannot be opened</h1>
        <p>{problem}</p>
        <button type="button" className="primary" onClick={() => location.reload()}>
          Reload
        </button>
      </div>
    )}
  </main>
)
