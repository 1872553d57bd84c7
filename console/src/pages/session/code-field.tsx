import { useEffect, useRef } from 'preact/hooks'
import { ApiError } from '../../api.ts'
import { translate } from '../../language.ts'
import { Field } from '../../ui/form/form.tsx'

/** The code of the second factor. It takes the focus when it appears. */
export function CodeField() {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => place.current?.querySelector('input')?.focus(), [])
  return (
    <div ref={place}>
      <Field
        name="code"
        label={translate('Code')}
        hint={translate('Six digits from your authenticator app, or a recovery code.')}
        autocomplete="one-time-code"
        required
      />
    </div>
  )
}

/** The code in the fields of a form, if it was asked for. */
export function codeIn(fields: FormData): { readonly code?: string } {
  const code = fields.get('code')
  return typeof code === 'string' && code.trim() !== '' ? { code: code.trim() } : {}
}

/** Makes a call. Resolves to `true` if it was refused because a code is required. */
export async function asksForCode(make: () => Promise<unknown>): Promise<boolean> {
  try {
    await make()
    return false
  } catch (error) {
    if (error instanceof ApiError && error.response.code === 'second_factor_required') return true
    throw error
  }
}
