import {
  ACCOUNT_PATHS,
  confirmRegistration,
  findOpenRegistration,
  verifyRegistrationPassword,
} from '../../features/accounts/index.ts'
import { html, type PageRoute, type Texts } from '../toolkit/index.ts'
import { onward } from './onward.ts'
import { passwordLinkPages } from './password-link.ts'

const texts: Texts<
  'title' | 'lead' | 'password' | 'wrong' | 'notYou' | 'submit' | 'doneTitle' | 'done' | 'goneTitle' | 'gone' | 'again'
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
    done: async (context) => html`<p>${texts[context.language].done}</p>
${await onward(context)}`,
    onward: ({ language }) => ({ to: '/account/register', label: texts[language].again }),
  })
}
