import { refuse } from '../../../kernel/refusal.ts'
import { type AllowedTargets, type TargetProblem, targetProblem } from '../../../platform/outbound/index.ts'

const LENGTH_MAX = 2048

/** Messages name no address: an integrator must not learn what a name resolves to in our network. */
const MESSAGES: Readonly<Record<TargetProblem | 'fragment' | 'too_long', string>> = {
  not_a_url: 'Must be an absolute https URL.',
  not_https: 'Must begin with https://.',
  userinfo: 'Must not contain a username or password.',
  not_public: 'Must be a host on the public internet.',
  fragment: 'Must not contain a fragment, which is never sent.',
  too_long: 'Must have at most 2048 characters when normalized.',
}

/**
 * A target URL, normalized by WHATWG URL. Refuses `webhook_url_invalid`. Its host is resolved and checked again on each request.
 *
 * @see docs/reference/rules.md#targets
 */
export function parseTarget(text: string, allowed: AllowedTargets): string {
  const problem = targetProblem(text, allowed)
  if (problem !== null) refuseTarget(problem)
  const url = new URL(text)
  if (url.hash !== '') refuseTarget('fragment')
  if (url.href.length > LENGTH_MAX) refuseTarget('too_long')
  return url.href
}

function refuseTarget(problem: keyof typeof MESSAGES): never {
  refuse('webhook_url_invalid', { faults: [{ field: 'url', code: problem, message: MESSAGES[problem] }] })
}
