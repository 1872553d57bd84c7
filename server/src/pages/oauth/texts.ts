import type { Scope } from '@vitrine/contract'
import type { Texts } from '../toolkit/index.ts'

type Words =
  | 'signInTitle'
  | 'signInLead'
  | 'email'
  | 'password'
  | 'signIn'
  | 'wrong'
  | 'title'
  | 'asks'
  | 'store'
  | 'may'
  | 'back'
  | 'ends'
  | 'approve'
  | 'deny'
  | 'signedIn'
  | 'signOut'
  | 'foreignTitle'
  | 'foreign'
  | 'goneTitle'
  | 'gone'
  | Scope

export const texts: Texts<Words> = {
  en: {
    signInTitle: 'Sign in as staff',
    signInLead: 'asks for access to a store. Sign in to see what it asks for, and to decide.',
    email: 'E-mail address',
    password: 'Password',
    signIn: 'Sign in',
    wrong: 'This address and this password do not belong together',
    title: 'Give access?',
    asks: 'asks for access to your store',
    store: 'Store',
    may: 'It may then',
    back: 'The answer is sent to',
    ends: 'The access ends after 30 days at the latest. The operator can end it earlier.',
    approve: 'Give access',
    deny: 'Refuse',
    signedIn: 'Signed in as',
    signOut: 'Sign out',
    foreignTitle: 'This is not for you to decide',
    foreign: 'The app belongs to another store than yours. Sign in as somebody who works there.',
    goneTitle: 'This request has ended',
    gone: 'It is older than five minutes, or the app has changed. Go back to the app and begin again. Nothing was changed.',
    'catalog:read': 'read the catalogue, and keep carts and orders of its own',
    'checkout:quote': 'price carts and get binding quotes',
    'webhooks:read': 'see its webhooks and their deliveries',
    'webhooks:write': 'set up webhooks and repeat deliveries',
  },
  de: {
    signInTitle: 'Als Team anmelden',
    signInLead: 'bittet um Zugang zu einem Shop. Melde dich an, um zu sehen, worum es geht, und zu entscheiden.',
    email: 'E-Mail-Adresse',
    password: 'Passwort',
    signIn: 'Anmelden',
    wrong: 'Diese Adresse und dieses Passwort gehören nicht zusammen',
    title: 'Zugang geben?',
    asks: 'bittet um Zugang zu deinem Shop',
    store: 'Shop',
    may: 'Damit kann es',
    back: 'Die Antwort geht an',
    ends: 'Der Zugang endet spätestens nach 30 Tagen. Der Betreiber kann ihn früher beenden.',
    approve: 'Zugang geben',
    deny: 'Ablehnen',
    signedIn: 'Angemeldet als',
    signOut: 'Abmelden',
    foreignTitle: 'Das ist nicht deine Entscheidung',
    foreign: 'Die App gehört zu einem anderen Shop als deinem. Melde dich als jemand an, der dort arbeitet.',
    goneTitle: 'Diese Anfrage ist beendet',
    gone: 'Sie ist älter als fünf Minuten, oder die App hat sich geändert. Geh zurück zur App und beginne noch einmal. Es wurde nichts geändert.',
    'catalog:read': 'den Katalog lesen und eigene Warenkörbe und Bestellungen führen',
    'checkout:quote': 'Warenkörbe berechnen und verbindliche Angebote erhalten',
    'webhooks:read': 'seine Webhooks und ihre Zustellungen sehen',
    'webhooks:write': 'Webhooks einrichten und Zustellungen wiederholen',
  },
}
