import { ACCOUNT_PATHS } from '../accounts/index.ts'

/** The paths of the pages of a login, below the pages door. Each carries the login as `session`. */
export const LOGIN_PATHS = {
  signIn: '/login',
  goOn: '/login/continue',
  cancel: '/login/cancel',
} as const

/** Where a shopper begins: the page for newcomers leads on to the other one. */
export function loginUrl(
  pagesUrl: string,
  loginId: string,
  { prompt, locale }: { readonly prompt: 'login' | 'register'; readonly locale: string | null },
): string {
  const path = prompt === 'register' ? ACCOUNT_PATHS.register : LOGIN_PATHS.signIn
  return `${pagesUrl}${path}?${new URLSearchParams({ session: loginId, ...(locale !== null && { locale }) })}`
}
