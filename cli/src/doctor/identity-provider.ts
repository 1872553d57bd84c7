import { type Config, IdentityProvider, systemClock } from '@vitrine/server'
import { doubtful, type Finding, well, wrong } from './finding.ts'

/** Checks that the identity provider of the operators answers its discovery, where one is configured. */
export async function checkIdentityProvider({
  identityProvider: settings,
  operatorUrl,
}: Pick<Config, 'identityProvider' | 'operatorUrl'>): Promise<readonly Finding[]> {
  if (settings === null) return []
  const provider = new IdentityProvider(settings, operatorUrl)
  const problem = await provider.problem(systemClock.now())
  if (problem !== null) {
    const remedy = 'Look at OIDC_ISSUER, and at the way there. Passwords and passkeys sign in meanwhile.'
    return [wrong('sign-in', `OIDC_ISSUER: ${problem}`, remedy)]
  }
  const answers = well('sign-in', `${settings.issuer} answers, and sends operators back to ${provider.redirectUri}`)
  if (settings.emailDomains.length > 0) return [answers]
  const remedy = 'Set OIDC_EMAIL_DOMAINS if the provider has accounts of others, as public ones do.'
  return [
    answers,
    doubtful('sign-in', 'OIDC_EMAIL_DOMAINS is not set: any verified address of an operator enters', remedy),
  ]
}
