import { translate } from '../../language.ts'
import { toast } from '../toast.tsx'

/** Copies a text. A console without HTTPS has no clipboard, and there the text is selected by hand. */
export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  if (!('clipboard' in navigator)) return null
  const copy = () => navigator.clipboard.writeText(text).then(() => toast(translate('Copied')))
  return (
    <button type="button" onClick={() => void copy()}>
      {label}
    </button>
  )
}
