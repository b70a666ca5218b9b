import { type InputHTMLAttributes, type ReactNode, type SelectHTMLAttributes, useEffect, useState } from 'react'

interface FieldProps {
  readonly label: string
  readonly hint?: string | undefined
  readonly wide?: boolean
}

const Label = ({ label, hint, wide, children }: FieldProps & { readonly children: ReactNode }): ReactNode => (
  // biome-ignore lint/a11y/noLabelWithoutControl: the control is among its children
  <label className={`field${wide ? ' wide' : ''}`}>
    <span>{label}</span>
    {children}
    {hint !== undefined && <small>{hint}</small>}
  </label>
)

type TextProps = FieldProps & Omit<InputHTMLAttributes<HTMLInputElement>, 'className'>

/** A text input with a label above and a hint below. */
export const Text = ({ label, hint, wide = false, ...input }: TextProps): ReactNode => (
  <Label label={label} hint={hint} wide={wide}>
    <input className="input" {...input} />
  </Label>
)

type ChoiceProps = FieldProps &
  Omit<SelectHTMLAttributes<HTMLSelectElement>, 'className'> & {
    readonly options: readonly (readonly [value: string, text: string])[]
  }

export const Choice = ({ label, hint, wide = false, options, ...select }: ChoiceProps): ReactNode => (
  <Label label={label} hint={hint} wide={wide}>
    <select className="input" {...select}>
      {options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  </Label>
)

const SEARCH_DELAY = 250

type SearchProps = FieldProps & {
  readonly value: string
  readonly placeholder?: string
  /** Called after a pause in typing, or at once on Enter. */
  readonly onSearch: (value: string) => void
}

/** A search input that reports its value after a short pause. */
export function Search({ value, onSearch, placeholder = '', ...labelled }: SearchProps): ReactNode {
  const [typed, setTyped] = useState(value)
  useEffect(() => setTyped(value), [value])
  useEffect(() => {
    if (typed === value) return
    const timer = setTimeout(() => onSearch(typed), SEARCH_DELAY)
    return () => clearTimeout(timer)
  }, [typed])
  return (
    <Text
      {...labelled}
      type="search"
      value={typed}
      placeholder={placeholder}
      onChange={event => setTyped(event.target.value)}
      onKeyDown={event => event.key === 'Enter' && onSearch(typed)}
    />
  )
}

interface SegmentsProps {
  readonly label: string
  readonly value: string
  readonly options: readonly (readonly [value: string, text: string])[]
  readonly onChoose: (value: string) => void
}

/** A choice of one among a few options. */
export const Segments = ({ label, value, options, onChoose }: SegmentsProps): ReactNode => (
  <fieldset className="segments" aria-label={label}>
    {options.map(([one, text]) => (
      <button key={one} type="button" aria-pressed={one === value} onClick={() => onChoose(one)}>
        {text}
      </button>
    ))}
  </fieldset>
)
