export { type JwtOptions, jwt } from './jwt.js'
export { type ConsoleOptions, type OidcOptions, oidc } from './oidc.js'
export { type PasswordProvider, passwords } from './passwords.js'
export type {
  AuthProvider,
  Claims,
  ConsoleSignIn,
  ProviderFetch,
  ProviderRequest,
  ProviderResponse,
  ProviderTools,
  SignInRequest,
  TokenProvider,
  TokenVerifier,
  VerifiedUser,
} from './provider.js'
export type { UserRules } from './user-rules.js'
