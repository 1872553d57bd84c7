import { translate } from '../../language.ts'
import { useQueryParameter } from '../../router.tsx'

/** Shows that a query parameter of the URL filters the list, and clears it. */
export function ActiveFilter({ name, label }: { readonly name: string; readonly label: string }) {
  const [value, setValue] = useQueryParameter(name)
  if (!value) return null
  return (
    <button type="button" onClick={() => setValue('')}>
      {translate('Clear {label} filter', { label })}
    </button>
  )
}
