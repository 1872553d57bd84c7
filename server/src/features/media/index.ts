/** The public interface of media. */
export { fileAt, type PictureSource, sourcesOf } from './address.ts'
export { diskStore } from './disk-store.ts'
export type { MediaStore } from './media-store.ts'
export { PictureMaker } from './picture-maker.ts'
export { type Media, receivePicture } from './receive-picture.ts'
export { type S3Settings, s3Store } from './s3-store.ts'
export { keepShownPictures, showPictures } from './show-pictures.ts'
export { MEDIA_SWEEP_JOB, sweepPictures } from './sweep.ts'
