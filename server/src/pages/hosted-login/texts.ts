import type { Texts } from '../toolkit/index.ts'

type Words =
  | 'title'
  | 'lead'
  | 'email'
  | 'password'
  | 'submit'
  | 'forgot'
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
  | 'endedTitle'
  | 'ended'
  | 'backTo'
  | 'test'

export const texts: Texts<Words> = {
  en: {
    title: 'Sign in',
    lead: 'to continue to',
    email: 'Email address',
    password: 'Password',
    submit: 'Sign in',
    forgot: 'Forgot your password?',
    new: 'New here?',
    register: 'Create account',
    cancel: 'Return without signing in',
    back: 'You’ll return to',
    emailMissing: 'Enter your email address',
    passwordMissing: 'Enter your password',
    wrong: 'Wrong email address or password',
    continueTitle: 'Continue with this account?',
    continueLead: 'will receive your name and email address. Your password is never shared.',
    continue: 'Continue',
    other: 'Use another account',
    endedTitle: 'This sign-in has ended',
    ended: 'It was completed or canceled, or has expired after ten minutes. Return to the shop and sign in again.',
    backTo: 'Back to',
    test: 'This is a test. The shop delivers nothing and charges nothing.',
  },
  de: {
    title: 'Anmelden',
    lead: 'und weiter zu',
    email: 'E-Mail-Adresse',
    password: 'Passwort',
    submit: 'Anmelden',
    forgot: 'Passwort vergessen?',
    new: 'Neu hier?',
    register: 'Konto erstellen',
    cancel: 'Zurück ohne Anmeldung',
    back: 'Danach kehrst du zurück zu',
    emailMissing: 'Gib deine E-Mail-Adresse ein',
    passwordMissing: 'Gib dein Passwort ein',
    wrong: 'E-Mail-Adresse oder Passwort ist falsch',
    continueTitle: 'Mit diesem Konto fortfahren?',
    continueLead: 'erhält deinen Namen und deine E-Mail-Adresse, aber nie dein Passwort.',
    continue: 'Weiter',
    other: 'Anderes Konto verwenden',
    endedTitle: 'Diese Anmeldung ist beendet',
    ended:
      'Sie wurde abgeschlossen, abgebrochen oder ist nach zehn Minuten abgelaufen. Kehre zum Shop zurück und melde dich noch einmal an.',
    backTo: 'Zurück zu',
    test: 'Das ist ein Test. Der Shop liefert nichts und berechnet nichts.',
  },
}
