import { type InputHTMLAttributes, type ReactNode, type SelectHTMLAttributes, useEffect, useId, useState } from 'react'

interface FieldProps {
  readonly label: string
  readonly hint?: string | undefined
  /** What is wrong with the value, as a sentence that names the field. */
  readonly error?: string | undefined
  readonly wide?: boolean
}

/** The attributes that connect a control to its label, hint and error. */
interface ControlAttributes {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': boolean | undefined
}

interface LabelProps extends FieldProps {
  readonly children: (attributes: ControlAttributes) => ReactNode
}

function Label({ label, hint, error, wide, children }: LabelProps): ReactNode {
  const id = useId()
  const description = error !== undefined || hint !== undefined ? `${id}-description` : undefined
  return (
    <div className={`field${wide ? ' wide' : ''}`}>
      <label htmlFor={id}>{label}</label>
      {children({ id, 'aria-describedby': description, 'aria-invalid': error === undefined ? undefined : true })}
      {description !== undefined && (
        <small id={description} className={error === undefined ? undefined : 'wrong'}>
          {error ?? hint}
        </small>
      )}
    </div>
  )
}

type TextProps = FieldProps & Omit<InputHTMLAttributes<HTMLInputElement>, 'className'>

/** A text input with a label above, and a hint below, or what is wrong with the value. */
export const Text = ({ label, hint, error, wide = false, ...input }: TextProps): ReactNode => (
  <Label label={label} hint={hint} error={error} wide={wide}>
    {attributes => <input className="input" {...input} {...attributes} />}
  </Label>
)

type ChoiceProps = FieldProps &
  Omit<SelectHTMLAttributes<HTMLSelectElement>, 'className'> & {
    readonly options: readonly (readonly [value: string, text: string])[]
  }

export const Choice = ({ label, hint, error, wide = false, options, ...select }: ChoiceProps): ReactNode => (
  <Label label={label} hint={hint} error={error} wide={wide}>
    {attributes => (
      <select className="input" {...select} {...attributes}>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    )}
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
