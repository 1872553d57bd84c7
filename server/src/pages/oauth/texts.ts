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
  | 'invalidTitle'
  | 'invalid'
  | Scope

export const texts: Texts<Words> = {
  en: {
    signInTitle: 'Sign in as staff',
    signInLead: 'requests access to a store. Sign in to review the request.',
    email: 'Email address',
    password: 'Password',
    signIn: 'Sign in',
    wrong: 'Wrong email address or password',
    title: 'Grant access?',
    asks: 'requests access to your store',
    store: 'Store',
    may: 'The app will be able to',
    back: 'You’ll return to',
    ends: 'Access expires after 30 days. The operator can revoke it earlier.',
    approve: 'Grant access',
    deny: 'Deny',
    signedIn: 'Signed in as',
    signOut: 'Sign out',
    foreignTitle: 'You can’t approve this request',
    foreign: 'The app belongs to another store. Sign in with a staff account of that store.',
    goneTitle: 'This request has expired',
    gone: 'It is older than five minutes, or the app has changed. Return to the app and start again. Nothing was changed.',
    invalidTitle: 'The app sent an invalid request',
    invalid: 'No access was granted. Tell the developer of the app:',
    'catalog:read': 'read the catalog and manage its own carts and orders',
    'checkout:quote': 'get binding quotes for carts',
    'webhooks:read': 'read its webhooks and deliveries',
    'webhooks:write': 'manage webhooks and replay deliveries',
  },
  de: {
    signInTitle: 'Als Mitarbeiter anmelden',
    signInLead: 'möchte auf einen Shop zugreifen. Melde dich an, um die Anfrage zu prüfen.',
    email: 'E-Mail-Adresse',
    password: 'Passwort',
    signIn: 'Anmelden',
    wrong: 'E-Mail-Adresse oder Passwort ist falsch',
    title: 'Zugriff erlauben?',
    asks: 'möchte auf deinen Shop zugreifen',
    store: 'Shop',
    may: 'Die App darf dann',
    back: 'Danach kehrst du zurück zu',
    ends: 'Der Zugriff endet nach 30 Tagen. Der Betreiber kann ihn früher widerrufen.',
    approve: 'Zugriff erlauben',
    deny: 'Ablehnen',
    signedIn: 'Angemeldet als',
    signOut: 'Abmelden',
    foreignTitle: 'Du kannst diese Anfrage nicht genehmigen',
    foreign: 'Die App gehört zu einem anderen Shop. Melde dich mit einem Mitarbeiterkonto dieses Shops an.',
    goneTitle: 'Diese Anfrage ist abgelaufen',
    gone: 'Sie ist älter als fünf Minuten, oder die App wurde geändert. Kehre zur App zurück und beginne noch einmal. Es wurde nichts geändert.',
    invalidTitle: 'Die Anfrage der App ist ungültig',
    invalid: 'Es wurde kein Zugriff erteilt. Teile dem Entwickler der App mit:',
    'catalog:read': 'den Katalog lesen und eigene Warenkörbe und Bestellungen verwalten',
    'checkout:quote': 'verbindliche Angebote für Warenkörbe erhalten',
    'webhooks:read': 'ihre Webhooks und deren Zustellungen lesen',
    'webhooks:write': 'Webhooks verwalten und Zustellungen wiederholen',
  },
}
