import { limits, type operations } from '@vitrine/contract'
import { refuse, refuseField } from '../../../kernel/refusal.ts'
import type { Handler } from '../../../platform/http/handler.ts'
import { accountLocale } from '../../accounts/index.ts'
import type { InitiatedLogin } from '../login.ts'
import { loginUrl } from '../paths.ts'
import { type InitiationFacts, insertLogin, loadInitiationFacts } from '../store.ts'

/** POST /api/v1/open/hosted/login/initiate */
export function initiateHostedLogin(pagesUrl: string): Handler<typeof operations.initiateHostedLogin> {
  return async ({ body }, { tx, principal, ids, now, languages }) => {
    const { returnUrl, state, codeChallenge, prompt = 'login' } = body
    const facts = await loadInitiationFacts(tx, principal, { returnUrl, now })
    if (!facts.isRegistered) {
      refuseField('returnUrl', 'not_registered', 'It must exactly match one of the return URLs of the installation.')
    }
    const locale = body.locale === undefined ? null : accountLocale(body.locale, languages)
    refuseOverQuota(facts, now)

    const expiresAt = new Date(now.getTime() + limits.hostedLogin.sessionSeconds * 1000)
    const login: InitiatedLogin = {
      id: ids.next('hls'),
      status: 'initiated',
      returnUrl,
      state,
      codeChallenge,
      expiresAt,
    }

    insertLogin(tx, principal, login, now)
    return {
      loginSession: login.id,
      loginUrl: loginUrl(pagesUrl, login.id, { prompt, locale }),
      expiresAt: expiresAt.toISOString(),
    }
  }
}

function refuseOverQuota({ isOverQuota, earliestExpiry }: InitiationFacts, now: Date): void {
  if (!isOverQuota) return
  const afterMs = earliestExpiry ? earliestExpiry.getTime() - now.getTime() : 0
  refuse('quota_exceeded', { afterMs, params: { openSessionsMax: limits.hostedLogin.openSessionsMax } })
}
