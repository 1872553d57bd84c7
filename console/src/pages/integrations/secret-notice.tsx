import type { ComponentChildren } from 'preact'
import { translate } from '../../language.ts'
import { CopyButton } from '../../ui/form/copy-button.tsx'
import { Notice } from '../../ui/notice.tsx'

interface SecretNoticeProps {
  readonly secret: string
  readonly onClose: () => void
  readonly children?: ComponentChildren
}

/** Shows a new key, token or signing secret, once. */
export function SecretNotice({ secret, onClose, children }: SecretNoticeProps) {
  return (
    <Notice kind="good">
      <p>
        <strong>{translate('Copy this now. It is not shown again.')}</strong>
      </p>
      <p class="secret">{secret}</p>
      {children}
      <div class="actions">
        <CopyButton text={secret} label={translate('Copy')} />
        <button type="button" class="quiet" onClick={onClose}>
          {translate('Done')}
        </button>
      </div>
    </Notice>
  )
}
