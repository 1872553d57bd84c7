import type { OperatorProduct } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { Field, Form } from '../../ui/form/form.tsx'
import { TextsFields, textsIn } from '../../ui/form/localized-text.tsx'

type Picture = OperatorProduct['images'][number]
const NEW_PICTURE: Picture = { url: '', width: 800, height: 1000 }

/** The pictures of a product, the first of which stands for it. */
export function Pictures({
  product,
  onChanged,
}: {
  readonly product: OperatorProduct
  readonly onChanged: () => void
}) {
  const { id, images, locales, version } = product
  const [added, setAdded] = useState(0)
  const shown = [...images, ...Array.from({ length: added }, () => NEW_PICTURE)]
  return (
    <Form
      key={version}
      submit="Save"
      onSubmit={async (fields) => {
        const wanted = shown.flatMap((_, index) => pictureIn(fields, `${index}`))
        await call('updateProduct', {
          params: { productId: id },
          body: { images: wanted, expectedVersion: version },
        })
        setAdded(0)
        onChanged()
      }}
    >
      {shown.length === 0 && <p class="small">It has none yet.</p>}
      {shown.map((picture, index) => (
        <fieldset key={index}>
          <legend>{index === 0 ? 'The first picture' : `Picture ${index + 1}`}</legend>
          <Field
            name={`${index}.url`}
            label="Address"
            hint="Empty: the picture is taken away."
            pointer={`/images/${index}/url`}
            value={picture.url}
          />
          <TextsFields name={`${index}.alt`} label="What it shows" locales={locales} value={picture.alt ?? {}} />
          <Field
            name={`${index}.width`}
            label="Width in pixels"
            type="number"
            pointer={`/images/${index}/width`}
            value={picture.width}
          />
          <Field
            name={`${index}.height`}
            label="Height in pixels"
            type="number"
            pointer={`/images/${index}/height`}
            value={picture.height}
          />
        </fieldset>
      ))}
      <div class="actions">
        <button type="button" onClick={() => setAdded(added + 1)}>
          Add a picture
        </button>
      </div>
    </Form>
  )
}

function pictureIn(fields: FormData, prefix: string): Picture[] {
  const url = String(fields.get(`${prefix}.url`) ?? '').trim()
  if (url === '') return []
  const alt = textsIn(fields, `${prefix}.alt`)
  const [width, height] = [Number(fields.get(`${prefix}.width`)), Number(fields.get(`${prefix}.height`))]
  return [{ url, width, height, ...(Object.keys(alt).length > 0 && { alt }) }]
}
