import { translate } from '../../language.ts'
import { FieldError } from './field-error.ts'

/** Reads the whole number of a field. `null`: the field is empty, which often means no limit, so that no other text may. */
export function readWholeNumber(fields: FormData, name: string, pointer = `/${name}`): number | null {
  const text = String(fields.get(name) ?? '').trim()
  if (text === '') return null
  if (/^\d+$/.test(text)) return Number(text)
  throw new FieldError(pointer, translate('“{text}” is not a whole number.', { text }))
}
