import { refuse } from '../../kernel/refusal.ts'
import { type AllowedTargets, type TargetProblem, targetProblem } from '../../platform/outbound/index.ts'

const LENGTH_MAX = 2048

/** What is wrong, in words that name no address: an integrator is not told what stands behind a name. */
const WORDS: Readonly<Record<TargetProblem | 'fragment' | 'too_long', string>> = {
  not_a_url: 'It must be an absolute https URL.',
  not_https: 'It must begin with https://.',
  userinfo: 'It must not carry a user or a password.',
  not_public: 'It must be a host of the public internet.',
  fragment: 'It must not carry a fragment, which is never sent.',
  too_long: 'It must have at most 2048 characters where it is spelled out.',
}

/**
 * A target as WHATWG URL spells it. Refuses `webhook_url_invalid`. Where its name leads is looked at again at each call.
 *
 * @see CONTRACT, Webhooks, Targets
 */
export function targetOf(text: string, allowed: AllowedTargets): string {
  const problem = targetProblem(text, allowed)
  if (problem !== null) refuseTarget(problem)
  const url = new URL(text)
  if (url.hash !== '') refuseTarget('fragment')
  if (url.href.length > LENGTH_MAX) refuseTarget('too_long')
  return url.href
}

function refuseTarget(problem: keyof typeof WORDS): never {
  refuse('webhook_url_invalid', { details: [{ in: 'body', pointer: '/url', code: problem, message: WORDS[problem] }] })
}
