import { translate } from '../../language.ts'
import { CopyButton } from '../../ui/form/copy-button.tsx'
import { Notice } from '../../ui/notice.tsx'

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
