import { translate } from '../../language.ts'
import { Notice } from '../../ui/notice.tsx'

/** Shows a new token or signing secret, once. A console without HTTPS has no clipboard. */
export function SecretNotice({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) {
  return (
    <Notice kind="good">
      <p>
        <strong>{translate('Copy this now. It is not shown again.')}</strong>
      </p>
      <p class="secret">{secret}</p>
      <div class="actions">
        {navigator.clipboard && (
          <button type="button" onClick={() => void navigator.clipboard.writeText(secret)}>
            {translate('Copy')}
          </button>
        )}
        <button type="button" class="quiet" onClick={onClose}>
          {translate('Done')}
        </button>
      </div>
    </Notice>
  )
}
