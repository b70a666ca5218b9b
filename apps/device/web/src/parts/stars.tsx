/** How it was, of five. */
export const Stars = ({ rating }: { readonly rating: number | undefined }) =>
  rating === undefined ? null : (
    <span className="stars" role="img" aria-label={`${rating} of 5 stars`}>
      {'★'.repeat(Math.max(0, Math.min(rating, 6)))}
      <small aria-hidden="true">{'★'.repeat(Math.max(0, 5 - rating))}</small>
    </span>
  )
