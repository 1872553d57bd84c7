import type { operatorOperations } from '@vitrine/contract/operator'
import { type Media, receivePicture } from '../../../features/media/index.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { OperatorHandler } from '../../door/handler.ts'

type Rows = typeof operatorOperations

/** Dependencies of the picture operations. */
export interface PictureOperationDeps {
  readonly clock: Clock
  readonly media: Media
}

/** POST /operator/v1/pictures */
function uploadPicture({ clock, media }: PictureOperationDeps): OperatorHandler<Rows['uploadPicture']> {
  return async (_input, { database, randomness, upload, auditIn }) => {
    const { address, file, width, height } = await receivePicture({
      upload,
      media,
      database,
      clock,
      randomness,
      record: (tx, picture) => {
        auditIn(tx, { subject: { type: 'picture', id: picture.id }, before: null, after: { ...picture } })
      },
    })
    return { url: `${media.url}/media/${address}/${file}`, width, height }
  }
}

export function pictureOperations(deps: PictureOperationDeps) {
  return { uploadPicture: uploadPicture(deps) }
}
