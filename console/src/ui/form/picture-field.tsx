import type { OperatorPicture } from '@vitrine/contract/operator'
import { useId, useState } from 'preact/hooks'
import { upload } from '../../api.ts'
import { translate } from '../../language.ts'
import { ErrorNotice } from '../notice.tsx'

type Picture = Pick<OperatorPicture, 'url' | 'width' | 'height'>

interface PictureFieldProps {
  readonly label: string
  readonly hint: string
  readonly picture: Picture | null
  readonly onChange: (picture: Picture | null) => void
}

/** The types of picture that can be uploaded. */
export const PICTURE_TYPES = 'image/jpeg,image/png,image/webp,image/avif,image/gif'

/** Uploads, replaces or removes a picture. The change is saved with the form. */
export function PictureField({ label, hint, picture, onChange }: PictureFieldProps) {
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
      <label for={id}>{label}</label>
      <p id={`${id}-hint`} class="small">
        {hint}
      </p>
      {error ? <ErrorNotice error={error} /> : null}
      {picture && (
        <div class="uploaded">
          <img src={picture.url} alt={translate('Current picture')} width="64" height="64" />
          <button type="button" class="quiet" onClick={() => onChange(null)}>
            {translate('Remove {name}', { name: label })}
          </button>
        </div>
      )}
      <input
        id={id}
        type="file"
        accept={PICTURE_TYPES}
        disabled={sending}
        aria-describedby={`${id}-hint`}
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? []
          // So that the same file can be chosen again after an upload that failed.
          event.currentTarget.value = ''
          void send(file)
        }}
      />
      <p role="status" class="small">
        {sending ? translate('Uploading…') : ''}
      </p>
    </div>
  )
}

/** The logo of a store or of the site. */
export function LogoField(props: Pick<PictureFieldProps, 'picture' | 'onChange'>) {
  return (
    <PictureField
      {...props}
      label={translate('Logo')}
      hint={translate(
        'JPEG, PNG, WebP, AVIF or GIF. A square one with a transparent background looks best in light and dark.',
      )}
    />
  )
}
