import type { OperatorProduct } from '@vitrine/contract/operator'
import { useRef, useState } from 'preact/hooks'
import { upload } from '../../api.ts'
import { translate } from '../../language.ts'
import { PICTURE_TYPES } from '../../ui/form/picture-field.tsx'
import { moved } from '../../ui/list/moved.ts'
import { ErrorNotice } from '../../ui/notice.tsx'
import { thumbnailUrl } from './picture.tsx'
import { ReorderButtons } from './reorder.tsx'

type Image = OperatorProduct['images'][number]
type Images = readonly Image[]

interface PicturesProps {
  readonly images: Images
  /** The language of the alternative texts. */
  readonly locale: string
  readonly language: string
  /** Takes a function of the current pictures, because several uploads end one after the other. */
  readonly onChange: (change: (images: Images) => Images, undo?: string) => void
}

interface Upload {
  readonly key: number
  readonly name: string
  readonly sent: number
  readonly error?: unknown
}

let uploads = 0
function nextKey(): number {
  uploads += 1
  return uploads
}

/** Uploads, orders, describes and removes the pictures of a product. The first is the main picture. */
export function Pictures({ images, locale, language, onChange }: PicturesProps) {
  const [running, setRunning] = useState<readonly Upload[]>([])
  const [isOver, setOver] = useState(false)
  const [dragged, setDragged] = useState<number | null>(null)
  const update = (key: number, change: Partial<Upload>) =>
    setRunning((all) => all.map((each) => (each.key === key ? { ...each, ...change } : each)))

  async function send(files: Iterable<File>): Promise<void> {
    const queued = [...files].map((file) => ({ key: nextKey(), name: file.name, sent: 0, file }))
    setRunning((all) => [...all, ...queued])
    for (const { key, file } of queued) {
      try {
        const image = await upload('uploadPicture', file, {}, (sent, total) => update(key, { sent: sent / total }))
        onChange((all) => (all.some(({ url }) => url === image.url) ? all : [...all, image]))
        setRunning((all) => all.filter((each) => each.key !== key))
      } catch (error) {
        update(key, { error })
      }
    }
  }
  const move = (from: number, to: number) => onChange((all) => moved(all, from, to))
  return (
    <section
      aria-label={translate('Pictures')}
      class={`pictures${isOver ? ' over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault()
        if (dragged === null) setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        if (event.dataTransfer?.files.length) void send(event.dataTransfer.files)
      }}
    >
      {images.length + running.length > 0 && (
        <ol>
          {images.map((image, index) => (
            <PictureTile
              key={image.url}
              {...{ image, index, locale, language, onChange }}
              count={images.length}
              onMove={(to) => move(index, to)}
              onDrag={setDragged}
              onDropHere={() => dragged !== null && move(dragged, index)}
            />
          ))}
          {running.filter(({ error }) => !error).map(UploadTile)}
        </ol>
      )}
      <FailedUploads
        running={running}
        onDismiss={(key) => setRunning((all) => all.filter((each) => each.key !== key))}
      />
      <AddPictures onFiles={(files) => void send(files)} />
    </section>
  )
}

/** The placeholder of a picture that is being uploaded. */
function UploadTile({ key, name, sent }: Upload) {
  return (
    <li key={key}>
      <div class="place">
        <progress aria-label={name} {...(sent < 1 && { value: sent })} />
      </div>
      <p class="small">{sent < 1 ? name : translate('{name}: resizing…', { name })}</p>
    </li>
  )
}

interface FailedUploadsProps {
  readonly running: readonly Upload[]
  readonly onDismiss: (key: number) => void
}

/** The uploads that failed, with the reasons. */
function FailedUploads({ running, onDismiss }: FailedUploadsProps) {
  return (
    <ul class="plain uploads" aria-live="polite">
      {running.map(({ key, name, error }) =>
        error ? (
          <li key={key}>
            <ErrorNotice error={error} />
            <button type="button" onClick={() => onDismiss(key)}>
              {translate('Dismiss {name}', { name })}
            </button>
          </li>
        ) : null,
      )}
    </ul>
  )
}

/** A button to choose files. They can also be dropped on the section. */
function AddPictures({ onFiles }: { readonly onFiles: (files: readonly File[]) => void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <div class="drop">
      <button type="button" onClick={() => input.current?.click()}>
        {translate('Add pictures')}
      </button>
      <p class="small">{translate('Or drop files here. JPEG, PNG, WebP, AVIF or GIF, up to 32 MB each.')}</p>
      <input
        ref={input}
        class="hidden"
        type="file"
        accept={PICTURE_TYPES}
        multiple
        aria-label={translate('Pictures to upload')}
        tabIndex={-1}
        onChange={(event) => {
          const files = [...(event.currentTarget.files ?? [])]
          event.currentTarget.value = ''
          onFiles(files)
        }}
      />
    </div>
  )
}

interface TileProps extends Omit<PicturesProps, 'images'> {
  readonly image: Image
  readonly index: number
  readonly count: number
  readonly onMove: (to: number) => void
  readonly onDrag: (index: number | null) => void
  readonly onDropHere: () => void
}

function PictureTile({ image, index, count, locale, language, onChange, onMove, onDrag, onDropHere }: TileProps) {
  const name = index === 0 ? translate('Main picture') : translate('Picture {index}', { index: index + 1 })
  const describe = (text: string) => {
    const { [locale]: _, ...others } = image.alt ?? {}
    const alt = { ...others, ...(text !== '' && { [locale]: text }) }
    const { alt: __, ...rest } = image
    const changed = { ...rest, ...(Object.keys(alt).length > 0 && { alt }) }
    onChange((all) => all.map((each) => (each.url === image.url ? changed : each)))
  }
  return (
    <li
      draggable
      onDragStart={() => onDrag(index)}
      onDragEnd={() => onDrag(null)}
      onDrop={onDropHere}
      aria-label={name}
    >
      <img src={thumbnailUrl(image.url)} alt={image.alt?.[locale] ?? ''} loading="lazy" />
      <div class="actions">
        <span class="small">{name}</span>
        <ReorderButtons
          {...{ name, index, count }}
          icons={['left', 'right']}
          onMove={onMove}
          onRemove={() => onChange((all) => all.filter(({ url }) => url !== image.url), translate('Picture removed.'))}
        />
      </div>
      <input
        value={image.alt?.[locale] ?? ''}
        placeholder={translate('Describe the picture')}
        aria-label={translate('Alternative text of {name} ({language})', { name, language })}
        maxLength={500}
        onInput={(event) => describe(event.currentTarget.value)}
      />
    </li>
  )
}
