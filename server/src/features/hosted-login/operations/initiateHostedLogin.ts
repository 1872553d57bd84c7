import { limits, type operations } from '@vitrine/contract'
import { refuse } from '../../../kernel/refusal.ts'
import type { Handler } from '../../../platform/http/handler.ts'
import { accountLocale } from '../../accounts/index.ts'
import type { InitiatedLogin } from '../login.ts'
import { loginUrl } from '../login-paths.ts'
import { insertLogin, type Opening, readOpening } from '../login-store.ts'
import type { HostedLoginDeps } from '../parts.ts'

/** POST /api/v1/open/hosted/login/initiate */
export function initiateHostedLogin({ pagesUrl }: HostedLoginDeps): Handler<typeof operations.initiateHostedLogin> {
  return async ({ body }, { tx, principal, ids, now, languages }) => {
    const { returnUrl, state, codeChallenge, prompt = 'login' } = body
    const opening = await readOpening(tx, principal, { returnUrl, now })
    if (!opening.isRegistered) refuse('validation_failed', notRegistered)
    const locale = body.locale === undefined ? null : accountLocale(body.locale, languages)
    refuseOverQuota(opening, now)

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

const notRegistered = {
  details: [
    {
      in: 'body',
      pointer: '/returnUrl',
      code: 'not_registered',
      message: 'It must be one of the return URLs of the installation, character by character.',
    },
  ],
} as const

function refuseOverQuota({ isOverQuota, firstEnd }: Opening, now: Date): void {
  if (!isOverQuota) return
  const afterMs = firstEnd ? firstEnd.getTime() - now.getTime() : 0
  refuse('quota_exceeded', { afterMs, params: { openSessionsMax: limits.hostedLogin.openSessionsMax } })
}
