export const Wordmark = () => (
  <span className="wordmark">
    <img src="./icon.svg" alt="" width="28" height="28" />
    Field Visits
  </span>
)
