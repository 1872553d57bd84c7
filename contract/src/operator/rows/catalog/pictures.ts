import type { Static } from 'typebox'
import { Link } from '../../../schemas/common.ts'
import { closed, integer } from '../../../schemas/primitives.ts'
import { operatorNamed, operatorOperation } from '../../operation.ts'

const tag = 'Products'

export const OperatorPicture = operatorNamed(
  'OperatorPicture',
  closed('An uploaded picture, as products, SKUs, categories and stores name it.', {
    url: Link,
    width: integer(1, 20_000, 'Pixels.', 800),
    height: integer(1, 20_000, 'Pixels.', 1000),
  }),
)
export type OperatorPicture = Static<typeof OperatorPicture>

export const pictureRows = {
  uploadPicture: operatorOperation({
    method: 'POST',
    path: '/operator/v1/pictures',
    tag,
    summary: 'Upload a picture.',
    description:
      'The body is the file: JPEG, PNG, WebP, AVIF or GIF, up to 32 MB and 64 megapixels. It is decoded and encoded again in several widths, as AVIF, WebP and JPEG or PNG: only its first frame, upright, in sRGB and without metadata such as the location. Uploading the same file again returns the same picture. A picture that is not used for a week is removed.',
    auth: { kind: 'operator', area: 'catalog' },
    upload: true,
    data: OperatorPicture,
    refusals: ['picture_refused'],
    store: 'no_store',
  }),
}
