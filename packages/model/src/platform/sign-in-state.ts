/**
 * `guest`: no user has logged in yet. `signed_out`: the server has ended the session; `logged_out`: the user has. In both, the user's data is here, and
 * syncs again after a login.
 */
export type SignInState = 'guest' | 'signed_in' | 'signed_out' | 'logged_out'
