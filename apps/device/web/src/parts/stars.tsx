const MOST = 5

const labelOf = (rating: number): string =>
  rating > MOST ? `${rating} stars, where ${MOST} are the most` : `${rating} of ${MOST} stars`

/** How it was, of five. What is beyond five stands as a number, and is for the backend to refuse. */
export function Stars({ rating }: { readonly rating: number | undefined }) {
  if (rating === undefined) return null
  const full = Math.max(0, Math.min(rating, MOST))
  return (
    <span className="stars" role="img" aria-label={labelOf(rating)}>
      {'★'.repeat(full)}
      <small aria-hidden="true">{'★'.repeat(MOST - full)}</small>
      {rating > MOST && <b aria-hidden="true">+{rating - MOST}</b>}
    </span>
  )
}
