import { newPasswordFault } from '../../features/accounts/index.ts'
import type { Refusal } from '../../kernel/refusal.ts'
import { acceptanceMissing } from '../legal/acceptance.ts'
import { type FieldErrors, fieldFaults, type Language, type Texts } from '../toolkit/index.ts'

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
    email: 'Enter an email address such as ada@example.com',
    password: 'Enter a password of 8 to 128 characters',
    tooLong: 'Enter at most 100 characters',
    too_common: 'This password is too common. Choose another one',
    repetitive: 'This password is too repetitive. Choose another one',
    sequence: 'This password is a simple sequence. Choose another one',
    like_email: 'This password is too similar to your email address. Choose another one',
    store_access_required: 'This is currently only available from within the shop. Nothing was changed',
  },
  de: {
    email: 'Gib eine E-Mail-Adresse wie ada@example.com ein',
    password: 'Gib ein Passwort mit 8 bis 128 Zeichen ein',
    tooLong: 'Gib höchstens 100 Zeichen ein',
    too_common: 'Dieses Passwort ist zu häufig. Wähle ein anderes',
    repetitive: 'Dieses Passwort enthält zu viele Wiederholungen. Wähle ein anderes',
    sequence: 'Dieses Passwort ist eine einfache Folge. Wähle ein anderes',
    like_email: 'Dieses Passwort ähnelt deiner E-Mail-Adresse zu sehr. Wähle ein anderes',
    store_access_required: 'Das ist derzeit nur über den Shop möglich. Es wurde nichts geändert',
  },
}

/** Error texts by field; `null` if the refusal is not about fields. */
export function errorsOf(refusal: Refusal, language: Language): FieldErrors | null {
  const words = texts[language]
  if (refusal.code === 'store_access_required') return { '': words.store_access_required }
  const faults = fieldFaults(refusal)
  if (faults.length === 0) return null
  return Object.fromEntries(
    faults.map(({ field, code }) => [
      field,
      field === 'accepted' ? acceptanceMissing(language) : words[faultOf(field, code)],
    ]),
  )
}

/** The errors of a form with that of a weak new password: it has to be typed again after each error, so all are shown at once. */
export async function withWeakPassword(
  errors: FieldErrors,
  {
    field,
    typed,
    email,
  }: { readonly field: string; readonly typed: string | undefined; readonly email: string | null },
  language: Language,
): Promise<FieldErrors> {
  if (typed === undefined || errors[field] !== undefined) return errors
  const fault = await newPasswordFault(typed, email)
  return fault === null ? errors : { ...errors, [field]: texts[language][faultOf(field, fault)] }
}

function faultOf(name: string, code: string): Fault {
  if (code === 'too_common' || code === 'repetitive' || code === 'sequence' || code === 'like_email') return code
  if (name === 'email') return 'email'
  return name === 'firstName' || name === 'lastName' ? 'tooLong' : 'password'
}
