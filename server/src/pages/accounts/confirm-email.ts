import {
  ACCOUNT_PATHS,
  type AccountDeps,
  confirmEmailChange,
  findOpenEmailChange,
  verifyEmailChange,
} from '../../features/accounts/index.ts'
import { html, type PageRoute, type Texts } from '../toolkit/index.ts'
import { passwordLinkPages } from './password-link.ts'

type Words =
  | 'title'
  | 'lead'
  | 'password'
  | 'wrong'
  | 'submit'
  | 'doneTitle'
  | 'done'
  | 'account'
  | 'goneTitle'
  | 'gone'

const texts: Texts<Words> = {
  en: {
    title: 'Confirm your new email address',
    lead: 'Enter the password of your account. From then on you sign in with this address:',
    password: 'Password',
    wrong: 'This is not the password of the account',
    submit: 'Confirm address',
    doneTitle: 'Your email address was changed',
    done: 'From now on you sign in with your new address.',
    account: 'Go to your account',
    goneTitle: 'This link is no longer valid',
    gone: 'It was already used or replaced, or is older than 24 hours. Nothing was changed.',
  },
  de: {
    title: 'Neue E-Mail-Adresse bestätigen',
    lead: 'Gib das Passwort deines Kontos ein. Danach meldest du dich mit dieser Adresse an:',
    password: 'Passwort',
    wrong: 'Das ist nicht das Passwort des Kontos',
    submit: 'Adresse bestätigen',
    doneTitle: 'Deine E-Mail-Adresse wurde geändert',
    done: 'Ab jetzt meldest du dich mit deiner neuen Adresse an.',
    account: 'Zu deinem Konto',
    goneTitle: 'Dieser Link ist nicht mehr gültig',
    gone: 'Er wurde bereits verwendet oder ersetzt oder ist älter als 24 Stunden. Es wurde nichts geändert.',
  },
}

/** The page linked from the mail to a new address. */
export function confirmEmailPages({ mails }: AccountDeps): PageRoute[] {
  return passwordLinkPages({
    path: ACCOUNT_PATHS.confirmEmail,
    texts,
    find: findOpenEmailChange,
    verify: verifyEmailChange,
    confirm: (tx, token, context) => confirmEmailChange(tx, token, { ...context, mails }),
    done({ language, link }) {
      const words = texts[language]
      return html`<p>${words.done}</p>
<div class="actions"><a class="button" href="${link(ACCOUNT_PATHS.home)}">${words.account}</a></div>`
    },
    onward: ({ language }) => ({ to: ACCOUNT_PATHS.home, label: texts[language].account }),
  })
}
