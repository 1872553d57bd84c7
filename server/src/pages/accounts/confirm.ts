import {
  ACCOUNT_PATHS,
  confirmRegistration,
  findOpenRegistration,
  verifyRegistrationPassword,
} from '../../features/accounts/index.ts'
import { findPageLogin, LOGIN_PATHS } from '../../features/hosted-login/index.ts'
import { html, type PageRoute, type Texts } from '../toolkit/index.ts'
import { passwordLinkPages } from './password-link.ts'

const texts: Texts<
  | 'title'
  | 'lead'
  | 'password'
  | 'wrong'
  | 'notYou'
  | 'submit'
  | 'doneTitle'
  | 'done'
  | 'goneTitle'
  | 'gone'
  | 'again'
  | 'signIn'
  | 'backTo'
> = {
  en: {
    title: 'Confirm your email address',
    lead: 'Enter the password that you chose to activate your account:',
    password: 'Password',
    wrong: 'This is not the password that you chose when you created the account.',
    notYou: 'You did not create an account? Close this page: nothing is activated.',
    submit: 'Confirm address',
    doneTitle: 'Your account is active',
    done: 'You can now sign in, here and at the shops.',
    goneTitle: 'This link is no longer valid',
    gone: 'It was already used or is older than 24 hours. If you have confirmed your address, you don’t need to do anything.',
    again: 'Create account',
    signIn: 'Sign in',
    backTo: 'Back to',
  },
  de: {
    title: 'E-Mail-Adresse bestätigen',
    lead: 'Gib das Passwort ein, das du gewählt hast, um dein Konto zu aktivieren:',
    password: 'Passwort',
    wrong: 'Das ist nicht das Passwort, das du beim Anlegen des Kontos gewählt hast.',
    notYou: 'Du hast kein Konto angelegt? Schließe diese Seite: Es wird nichts aktiviert.',
    submit: 'Adresse bestätigen',
    doneTitle: 'Dein Konto ist aktiviert',
    done: 'Du kannst dich jetzt anmelden, hier und in den Shops.',
    goneTitle: 'Dieser Link ist nicht mehr gültig',
    gone: 'Er wurde bereits verwendet oder ist älter als 24 Stunden. Wenn du deine Adresse schon bestätigt hast, ist nichts weiter zu tun.',
    again: 'Konto erstellen',
    signIn: 'Jetzt anmelden',
    backTo: 'Zurück zu',
  },
}

/** The page linked from the confirmation email. */
export function confirmPages(): PageRoute[] {
  return passwordLinkPages({
    path: ACCOUNT_PATHS.confirm,
    texts,
    find: findOpenRegistration,
    verify: verifyRegistrationPassword,
    confirm: confirmRegistration,
    note: ({ language }) => html`<hr>\n<p class="small">${texts[language].notYou}</p>`,
    async done({ reader, now, language, cookie, link }) {
      const words = texts[language]
      const session = cookie('login')
      const begun = session === null ? null : await findPageLogin(reader, session, now)
      if (session !== null && begun?.login.status === 'initiated')
        return html`<div class="actions"><a class="button" href="${link(LOGIN_PATHS.signIn, { session })}">${words.signIn}</a></div>`
      // The login that the registration began in ends after ten minutes. The shop begins another one.
      const [to, label] = begun
        ? [new URL(begun.login.returnUrl).origin, `${words.backTo} ${begun.installationName}`]
        : [link(ACCOUNT_PATHS.home), words.signIn]
      return html`<p>${words.done}</p>
<div class="actions"><a class="button" href="${to}">${label}</a></div>`
    },
    onward: ({ language }) => ({ to: '/account/register', label: texts[language].again }),
  })
}
