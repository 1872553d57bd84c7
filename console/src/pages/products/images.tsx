import type { OperatorProduct } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { Field, Form } from '../../ui/form/form.tsx'
import { TextsFields, textsIn } from '../../ui/form/localized-text.tsx'

type ProductImage = OperatorProduct['images'][number]
const NEW_IMAGE: ProductImage = { url: '', width: 800, height: 1000 }

/** The images of a product. The first is the main image. */
export function Images({ product, onChanged }: { readonly product: OperatorProduct; readonly onChanged: () => void }) {
  const { id, images, locales, version } = product
  const [added, setAdded] = useState(0)
  const shown = [...images, ...Array.from({ length: added }, () => NEW_IMAGE)]
  return (
    <Form
      key={version}
      submit="Save"
      onSubmit={async (fields) => {
        const saved = shown.flatMap((_, index) => imageIn(fields, `${index}`))
        await call('updateProduct', {
          params: { productId: id },
          body: { images: saved, expectedVersion: version },
        })
        setAdded(0)
        onChanged()
      }}
    >
      {shown.length === 0 && <p class="small">No images yet.</p>}
      {shown.map((image, index) => (
        <fieldset key={index}>
          <legend>{index === 0 ? 'Main image' : `Image ${index + 1}`}</legend>
          <Field
            name={`${index}.url`}
            label="Image URL"
            hint="Leave empty to remove the image."
            pointer={`/images/${index}/url`}
            value={image.url}
          />
          <TextsFields name={`${index}.alt`} label="Alt text" locales={locales} value={image.alt ?? {}} />
          <Field
            name={`${index}.width`}
            label="Width (pixels)"
            type="number"
            pointer={`/images/${index}/width`}
            value={image.width}
          />
          <Field
            name={`${index}.height`}
            label="Height (pixels)"
            type="number"
            pointer={`/images/${index}/height`}
            value={image.height}
          />
        </fieldset>
      ))}
      <div class="actions">
        <button type="button" onClick={() => setAdded(added + 1)}>
          Add image
        </button>
      </div>
    </Form>
  )
}

function imageIn(fields: FormData, prefix: string): ProductImage[] {
  const url = String(fields.get(`${prefix}.url`) ?? '').trim()
  if (url === '') return []
  const alt = textsIn(fields, `${prefix}.alt`)
  const [width, height] = [Number(fields.get(`${prefix}.width`)), Number(fields.get(`${prefix}.height`))]
  return [{ url, width, height, ...(Object.keys(alt).length > 0 && { alt }) }]
}
