import { type Config, IdentityProvider, systemClock } from '@vitrine/server'
import { doubtful, type Finding, well, wrong } from './finding.ts'

/** Checks that the identity provider of the operators answers discovery, if one is configured. */
export async function checkIdentityProvider({
  identityProvider: settings,
  operatorUrl,
}: Pick<Config, 'identityProvider' | 'operatorUrl'>): Promise<readonly Finding[]> {
  if (settings === null) return []
  const provider = new IdentityProvider(settings, operatorUrl)
  const problem = await provider.problem(systemClock.now())
  if (problem !== null) {
    const remedy = 'Check OIDC_ISSUER and the network. Passwords and passkeys still work.'
    return [wrong('sign-in', `OIDC_ISSUER: ${problem}`, remedy)]
  }
  const answers = well('sign-in', `${settings.issuer} answers, and sends operators back to ${provider.redirectUri}`)
  if (settings.emailDomains.length > 0) return [answers]
  const remedy = 'Set OIDC_EMAIL_DOMAINS if others can have accounts at the provider, as at public ones.'
  return [
    answers,
    doubtful('sign-in', 'OIDC_EMAIL_DOMAINS is not set: any verified address of an operator can sign in', remedy),
  ]
}
