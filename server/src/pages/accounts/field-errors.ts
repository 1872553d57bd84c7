import type { Refusal } from '../../kernel/refusal.ts'
import { missingTick } from '../legal/acceptance.ts'
import type { FieldErrors, Language, Texts } from '../toolkit/index.ts'

type Fault =
  | 'email'
  | 'password'
  | 'tooLong'
  | 'too_common'
  | 'repetitive'
  | 'sequence'
  | 'like_email'
  | 'store_access_required'

const texts: Texts<Fault> = {
  en: {
    email: 'Enter an e-mail address such as ada@example.com',
    password: 'Enter a password of 8 to 128 characters',
    tooLong: 'Enter at most 100 characters',
    too_common: 'This password is one of those that are tried first. Choose another one',
    repetitive: 'This password repeats itself. Choose another one',
    sequence: 'This password is a plain sequence. Choose another one',
    like_email: 'This password is your e-mail address. Choose another one',
    store_access_required: 'This can only be done from within the shop at the moment. Nothing was changed',
  },
  de: {
    email: 'Gib eine E-Mail-Adresse wie ada@example.com ein',
    password: 'Gib ein Passwort mit 8 bis 128 Zeichen ein',
    tooLong: 'Gib höchstens 100 Zeichen ein',
    too_common: 'Dieses Passwort wird als eines der ersten ausprobiert. Wähle ein anderes',
    repetitive: 'Dieses Passwort wiederholt sich. Wähle ein anderes',
    sequence: 'Dieses Passwort ist eine einfache Folge. Wähle ein anderes',
    like_email: 'Dieses Passwort ist deine E-Mail-Adresse. Wähle ein anderes',
    store_access_required: 'Das geht im Moment nur vom Shop aus. Es wurde nichts geändert',
  },
}

/** What a refusal says of each field, in the words of the person who filled it in; null where it is about none of them. */
export function errorsOf({ code, facts }: Refusal, language: Language): FieldErrors | null {
  const words = texts[language]
  if (code === 'store_access_required') return { '': words.store_access_required }
  const { details = [], faults = [] } = facts
  const invalid = [...details.map(({ pointer, code }) => ({ field: pointer.slice(1), code })), ...faults]
  if (invalid.length === 0) return null
  return Object.fromEntries(
    invalid.map(({ field, code }) => [
      field,
      field === 'accepted' ? missingTick(language) : words[faultOf(field, code)],
    ]),
  )
}

function faultOf(name: string, code: string): Fault {
  if (code === 'too_common' || code === 'repetitive' || code === 'sequence' || code === 'like_email') return code
  if (name === 'email') return 'email'
  return name === 'firstName' || name === 'lastName' ? 'tooLong' : 'password'
}
