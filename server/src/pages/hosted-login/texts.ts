import type { Texts } from '../toolkit/index.ts'

type Words =
  | 'title'
  | 'lead'
  | 'email'
  | 'password'
  | 'submit'
  | 'forgotten'
  | 'new'
  | 'register'
  | 'cancel'
  | 'back'
  | 'emailMissing'
  | 'passwordMissing'
  | 'wrong'
  | 'continueTitle'
  | 'continueLead'
  | 'continue'
  | 'other'
  | 'overTitle'
  | 'over'
  | 'begin'

export const texts: Texts<Words> = {
  en: {
    title: 'Sign in',
    lead: 'to go on at',
    email: 'E-mail address',
    password: 'Password',
    submit: 'Sign in',
    forgotten: 'Forgotten your password?',
    new: 'New here?',
    register: 'Open an account',
    cancel: 'Go back without signing in',
    back: 'You are then taken back to',
    emailMissing: 'Enter your e-mail address',
    passwordMissing: 'Enter your password',
    wrong: 'This address and this password do not belong together',
    continueTitle: 'Go on with this account?',
    continueLead: 'asks who you are. It is told your address and your name, and never your password.',
    continue: 'Go on',
    other: 'Use another account',
    overTitle: 'This sign-in is over',
    over: 'It was finished or given up, or it is older than ten minutes. Go back to where you came from and begin again.',
    begin: 'Back to',
  },
  de: {
    title: 'Anmelden',
    lead: 'und weiter bei',
    email: 'E-Mail-Adresse',
    password: 'Passwort',
    submit: 'Anmelden',
    forgotten: 'Passwort vergessen?',
    new: 'Neu hier?',
    register: 'Konto eröffnen',
    cancel: 'Zurück, ohne mich anzumelden',
    back: 'Danach geht es zurück zu',
    emailMissing: 'Gib deine E-Mail-Adresse ein',
    passwordMissing: 'Gib dein Passwort ein',
    wrong: 'Diese Adresse und dieses Passwort gehören nicht zusammen',
    continueTitle: 'Weiter mit diesem Konto?',
    continueLead: 'möchte wissen, wer du bist. Es erfährt deine Adresse und deinen Namen, nie dein Passwort.',
    continue: 'Weiter',
    other: 'Anderes Konto verwenden',
    overTitle: 'Diese Anmeldung ist vorbei',
    over: 'Sie wurde abgeschlossen oder abgebrochen, oder sie ist älter als zehn Minuten. Geh dorthin zurück, wo du herkommst, und beginne noch einmal.',
    begin: 'Zurück zu',
  },
}
