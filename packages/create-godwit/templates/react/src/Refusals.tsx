import { useRefusals } from '@godwit/react'

/** Changes that the backend refused: they are rolled back, and stay here until the user decides. */
export function Refusals() {
  const { rows } = useRefusals()
  return rows.map(refusal => (
    <section className="card refusal" key={refusal.id}>
      <p>
        <strong>Refused:</strong> {refusal.error.message} <q>{Object.values(refusal.attributes).join(', ')}</q>
      </p>
      <button type="button" onClick={() => refusal.retry()}>
        Try again
      </button>
      <button type="button" onClick={() => refusal.dismiss()}>
        Discard
      </button>
    </section>
  ))
}
