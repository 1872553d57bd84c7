import { translate } from '../../language.ts'
import { Notice } from '../../ui/notice.tsx'

/** Copies a text. A console without HTTPS has no clipboard, and there the text is selected by hand. */
export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  if (!('clipboard' in navigator)) return null
  return (
    <button type="button" onClick={() => void navigator.clipboard.writeText(text)}>
      {label}
    </button>
  )
}

/** Shows a new token or signing secret, once. */
export function SecretNotice({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) {
  return (
    <Notice kind="good">
      <p>
        <strong>{translate('Copy this now. It is not shown again.')}</strong>
      </p>
      <p class="secret">{secret}</p>
      <div class="actions">
        <CopyButton text={secret} label={translate('Copy')} />
        <button type="button" class="quiet" onClick={onClose}>
          {translate('Done')}
        </button>
      </div>
    </Notice>
  )
}
