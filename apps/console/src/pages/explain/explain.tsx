import type { Explanation } from '@godwit/admin-client'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { admin } from '../../api.js'
import { Badge } from '../../parts/badge.js'
import { Choice, Text } from '../../parts/field.js'
import { Icon } from '../../parts/icon.js'
import { PageHead } from '../../parts/page-head.js'
import { EmptyState, QueryContent } from '../../parts/states.js'
import { useFilters } from '../../routes.js'
import { useQuery } from '../../use-query.js'
import { nextStep, toneOf, VERDICTS } from './stations.js'

/** Explains the path of an object from backend to device, with the findings of each station. */
export default function Explain(): ReactNode {
  const [{ source = '', user = '', object = '', contains = '', client = '' }, setFilters] = useFilters()
  const sources = useQuery('sources', options => admin.sources.all(options))
  const isComplete = source !== '' && user !== '' && (object !== '' || contains !== '')
  const question = JSON.stringify([source, user, object, contains, client])
  const answer = useQuery(isComplete ? `explain ${question}` : undefined, options =>
    admin.operations.explain(
      { source, user, ...(object ? { object } : { contains }), ...(client && { client }) },
      options,
    ),
  )
  return (
    <>
      <PageHead
        title="Why is it missing?"
        says="Traces an object from the backend to the devices of a user and shows where it stops. Nothing is changed."
      />
      <QueryContent query={sources} what="the sources">
        {() => null}
      </QueryContent>
      <Form
        key={question}
        given={{ source: source || sources.data?.[0]?.name || '', user, object, contains, client }}
        sources={(sources.data ?? []).map(({ name }) => name)}
        ask={setFilters}
      />
      {isComplete ? (
        <QueryContent query={answer} what="the explanation">
          {found => <ExplanationView found={found} />}
        </QueryContent>
      ) : (
        <EmptyState
          icon="explain"
          title="Choose an object and a user"
          says="Without a device, all devices of the user are checked."
        />
      )}
    </>
  )
}

/** `object_present` → Object present. */
const titleOf = (code: string): string => code.charAt(0).toUpperCase() + code.slice(1).replaceAll('_', ' ')

interface ExplainQuestion {
  readonly source: string
  readonly user: string
  readonly object: string
  readonly contains: string
  readonly client: string
}

interface FormProps {
  readonly given: ExplainQuestion
  readonly sources: readonly string[]
  readonly ask: (fields: Record<string, string>) => void
}

function Form({ given, sources, ask }: FormProps): ReactNode {
  const [fields, setFields] = useState(given)
  // The list of sources may load after the page.
  useEffect(() => setFields(one => ({ ...one, source: one.source || given.source })), [given.source])
  const set = (name: keyof ExplainQuestion) => (event: { readonly target: { readonly value: string } }) =>
    setFields({ ...fields, [name]: event.target.value })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    ask({ ...fields })
  }
  return (
    <form className="bar" onSubmit={submit}>
      <Choice label="Source" value={fields.source} options={sources.map(one => [one, one])} onChange={set('source')} />
      <Text
        label="User"
        required
        value={fields.user}
        onChange={set('user')}
        placeholder="login, or *"
        autoCapitalize="none"
      />
      <Text
        label="Object"
        required={fields.contains === ''}
        value={fields.object}
        onChange={set('object')}
        placeholder="id"
      />
      <Text
        label="or text in it"
        disabled={fields.object !== ''}
        value={fields.contains}
        onChange={set('contains')}
        placeholder="in any attribute"
      />
      <Text label="Device" wide value={fields.client} onChange={set('client')} placeholder="all of the user" />
      <button type="submit" className="button primary">
        Explain
      </button>
    </form>
  )
}

function ExplanationView({ found: { on_device, object, findings } }: { readonly found: Explanation }): ReactNode {
  const { title, label, tone, icon } = VERDICTS[on_device]
  const todo = nextStep(on_device, findings)
  return (
    <section className="card">
      <div className="card-head">
        <h2>{title}</h2>
        {object !== null && <code className="break">{object}</code>}
        <Badge tone={tone}>{label}</Badge>
      </div>
      <div className="card-body stack">
        <ol className="steps">
          {findings.map(({ code, message }, place) => (
            <li key={`${code} ${place}`}>
              <span className={`step-mark ${toneOf(code)}`}>
                <Icon name={toneOf(code) === 'good' ? 'check' : toneOf(code) === 'plain' ? 'more' : 'warning'} />
              </span>
              <div>
                <h3>{titleOf(code)}</h3>
                <p className="soft break">{message}</p>
              </div>
            </li>
          ))}
        </ol>
        <p className="alert">
          <Icon name={icon} />
          <span>
            <strong>Next step:</strong> {todo}
          </span>
        </p>
      </div>
    </section>
  )
}
