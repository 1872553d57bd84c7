import { useParameter } from '../../router.tsx'

/** Says that a list shows what belongs to one thing alone, which its address names, and shows the others as well. */
export function Narrowed({ by, to }: { readonly by: string; readonly to: string }) {
  const [value, setValue] = useParameter(by)
  if (!value) return null
  return (
    <button type="button" onClick={() => setValue('')}>
      {to} alone: show all
    </button>
  )
}
