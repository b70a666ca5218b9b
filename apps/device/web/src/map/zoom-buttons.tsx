const STEP = 1.8

interface ZoomButtonsProps {
  readonly onZoom: (factor: number) => void
}

/** Zoom for keys, and for pointers without a wheel. */
export const ZoomButtons = ({ onZoom }: ZoomButtonsProps) => (
  <fieldset className="zoom" aria-label="Zoom">
    <button type="button" aria-label="Zoom in" onClick={() => onZoom(STEP)}>
      +
    </button>
    <button type="button" aria-label="Zoom out" onClick={() => onZoom(1 / STEP)}>
      −
    </button>
  </fieldset>
)
