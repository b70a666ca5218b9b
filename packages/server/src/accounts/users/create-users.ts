import { SyncError, type UserCreate, type UsersCreate, type UsersCreated } from '@godwit/protocol'
import { type CheckedUser, checkUser, makeUser, type NewUserEngine } from './new-user.js'

/** The number of users looked up or written at once. */
const CONCURRENCY = 32

/** Creates a user and returns the login. Throws `user_exists`. */
export async function createUser(engine: NewUserEngine, user: UserCreate): Promise<string> {
  const checked = await checkUser(engine, user)
  if (await makeUser(engine, checked)) return checked.login
  const login = JSON.stringify(checked.login)
  throw new SyncError('user_exists', `A user ${login} exists already; nothing was changed.`)
}

/** Creates those users that do not exist; all are checked before the first is created. */
export async function createUsers(engine: NewUserEngine, { users }: UsersCreate): Promise<UsersCreated> {
  const checked: CheckedUser[] = []
  const places = new Map<string, number>()
  for (const [index, user] of users.entries()) {
    const one = await checkUser(engine, user, `/users/${index}`)
    checkOnce(places, one.login, index)
    checked.push(one)
  }
  const isMade = new Array<boolean>(checked.length)
  const entries = checked.entries()
  const worker = async (): Promise<void> => {
    for (const [index, user] of entries) isMade[index] = await makeUser(engine, user)
  }
  await Promise.all(Array.from({ length: Math.min(CONCURRENCY, checked.length) }, worker))
  const logins = checked.map(({ login }) => login)
  return {
    created: logins.filter((_, index) => isMade[index]),
    existing: logins.filter((_, index) => !isMade[index]),
  }
}

function checkOnce(places: Map<string, number>, login: string, index: number): void {
  const before = places.get(login)
  if (before === undefined) return void places.set(login, index)
  const message = `The login ${JSON.stringify(login)} stands here and at /users/${before}; nothing was made.`
  const errors = [{ path: `/users/${index}/attributes/login`, message }]
  throw new SyncError('body_invalid', message, { details: { errors } })
}
