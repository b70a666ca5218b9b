import { useDevice } from '@godwit/react'
import { useState } from 'react'

export function SignIn() {
  const device = useDevice()
  const [failure, setFailure] = useState('')
  const signIn = (form: FormData) =>
    device
      .login(String(form.get('login')), String(form.get('password')))
      .catch((error: Error) => setFailure(error.message))
  return (
    <form className="card sign-in" action={signIn}>
      <h1>my-app</h1>
      <input name="login" defaultValue="ada" placeholder="Login" autoComplete="username" required />
      <input name="password" type="password" placeholder="Password" autoComplete="current-password" required />
      <button type="submit">Sign in</button>
      <p className="quiet">In development: ada, grace or linus. The password is the login.</p>
      <p role="alert">{failure}</p>
    </form>
  )
}
