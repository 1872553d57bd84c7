import type { OperatorPicture } from '@vitrine/contract/operator'
import { useId, useState } from 'preact/hooks'
import { upload } from '../../api.ts'
import { translate } from '../../language.ts'
import { ErrorNotice } from '../notice.tsx'

type Logo = Pick<OperatorPicture, 'url' | 'width' | 'height'>

interface LogoFieldProps {
  readonly logo: Logo | null
  readonly onChange: (logo: Logo | null) => void
}

const TYPES = 'image/jpeg,image/png,image/webp,image/avif,image/gif'

/** A logo: uploaded, replaced or removed. It is saved with its form. */
export function LogoField({ logo, onChange }: LogoFieldProps) {
  const id = useId()
  const [sending, setSending] = useState(false)
  const [error, setError] = useState<unknown>(null)
  async function send(file: File | undefined): Promise<void> {
    if (!file) return
    setSending(true)
    setError(null)
    try {
      const { url, width, height } = await upload('uploadPicture', file, {}, () => {})
      onChange({ url, width, height })
    } catch (thrown) {
      setError(thrown)
    } finally {
      setSending(false)
    }
  }
  return (
    <div class="field">
      <label for={id}>{translate('Logo')}</label>
      <p id={`${id}-hint`} class="small">
        {translate(
          'JPEG, PNG, WebP, AVIF or GIF. A square one with a transparent background looks best in light and dark.',
        )}
      </p>
      {error ? <ErrorNotice error={error} /> : null}
      {logo && (
        <div class="logo">
          <img src={logo.url} alt={translate('Current logo')} width="64" height="64" />
          <button type="button" class="quiet" onClick={() => onChange(null)}>
            {translate('Remove logo')}
          </button>
        </div>
      )}
      <input
        id={id}
        type="file"
        accept={TYPES}
        disabled={sending}
        aria-describedby={`${id}-hint`}
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? []
          void send(file)
        }}
      />
      <p role="status" class="small">
        {sending ? translate('Uploading…') : ''}
      </p>
    </div>
  )
}
