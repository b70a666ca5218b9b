/** What the backend takes at most. */
export const MAX_STARS = 5

const labelOf = (rating: number): string =>
  rating > MAX_STARS ? `${rating} stars, above the maximum of ${MAX_STARS}` : `${rating} of ${MAX_STARS} stars`

/** A rating of up to five stars. A higher one is shown as a number, for the backend to refuse. */
export function Stars({ rating }: { readonly rating: number | undefined }) {
  if (rating === undefined) return null
  const full = Math.max(0, Math.min(rating, MAX_STARS))
  return (
    <span className="stars" role="img" aria-label={labelOf(rating)}>
      {'★'.repeat(full)}
      <small aria-hidden="true">{'★'.repeat(MAX_STARS - full)}</small>
      {rating > MAX_STARS && <b aria-hidden="true">+{rating - MAX_STARS}</b>}
    </span>
  )
}
