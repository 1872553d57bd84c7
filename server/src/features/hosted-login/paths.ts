import { ACCOUNT_PATHS } from '../accounts/index.ts'

/** Paths of the login pages. Each takes the login id as the query parameter `session`. */
export const LOGIN_PATHS = {
  signIn: '/login',
  continue: '/login/continue',
  cancel: '/login/cancel',
} as const

/** The first page of a login: sign-in, or registration, which continues to sign-in. */
export function loginUrl(
  pagesUrl: string,
  loginId: string,
  { prompt, locale }: { readonly prompt: 'login' | 'register'; readonly locale: string | null },
): string {
  const path = prompt === 'register' ? ACCOUNT_PATHS.register : LOGIN_PATHS.signIn
  return `${pagesUrl}${path}?${new URLSearchParams({ session: loginId, ...(locale !== null && { locale }) })}`
}
