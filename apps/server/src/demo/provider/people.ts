/** A person with an account at the demo provider. Their logins are not those of the demo's users, who have passwords. */
export interface Person {
  readonly id: string
  readonly name: string
  readonly team: string
  /** What the console's role is read from. */
  readonly roles: readonly string[]
}

/** The apps that may sign people in, with the people that each is for: a login is either a device user or an operator. */
export const PEOPLE_OF: ReadonlyMap<string, readonly Person[]> = new Map([
  [
    'field-visits',
    [
      { id: 'maria', name: 'Maria', team: 'north', roles: [] },
      { id: 'omar', name: 'Omar', team: 'south', roles: [] },
    ],
  ],
  ['console', [{ id: 'olga', name: 'Olga', team: 'office', roles: ['sync-readers'] }]],
])

export const personOf = (client: string, id: string | null): Person | undefined =>
  PEOPLE_OF.get(client)?.find(person => person.id === id)

/** What tokens say of a person. */
export const claimsOf = ({ id, name, team, roles }: Person): { readonly [name: string]: unknown } => ({
  sub: id,
  name,
  email: `${id}@demo.example`,
  email_verified: true,
  team,
  roles,
})
