/**
 * The process that decodes uploaded pictures and makes their files. It is separate, because a malicious file may crash the decoder, take
 * all memory or never end: then only this process dies. It has no secrets in its environment.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { HEIGHT_MAX, mainWidthOf, WIDTH_MAX, widthsOf } from './address.ts'
import type { PictureAnswer, PictureFailure, PictureTask } from './picture-maker.ts'

/** The largest phones have 50 megapixels by default. Decoded, 64 are 192 MB. */
const PIXELS_MAX = 64_000_000
const FORMATS = ['jpeg', 'png', 'webp', 'gif', 'heif']
/** The only decoders that are enabled. The first bytes of a file choose among them, whatever type it claims to have. */
const LOADERS = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((name) => `VipsForeignLoad${name}`)

// The doors have priority.
setPriority(10)
sharp.concurrency(1)
sharp.cache(false)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: LOADERS })

process.on('message', (task: PictureTask) => {
  make(task).then(
    (answer) => process.send?.(answer),
    (error: unknown) => process.send?.(answerFor(error)),
  )
})
process.on('disconnect', () => process.exit())

async function make({ source, folder }: PictureTask): Promise<PictureAnswer> {
  // Only the first frame, so that an animation of a thousand frames costs as much as a photo.
  const picture = sharp(source, { limitInputPixels: PIXELS_MAX, failOn: 'error', pages: 1, sequentialRead: true })
  const { format } = await picture.metadata()
  if (!FORMATS.includes(format)) return { refused: 'not_a_picture' }
  // Without `keepMetadata`, no EXIF, XMP, IPTC or color profile is written: colors become sRGB, and the location stays private.
  const { data, info } = await picture
    .autoOrient()
    .resize({ width: WIDTH_MAX, height: HEIGHT_MAX, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, channels } = info
  const decoded = () => sharp(data, { raw: { width, height: info.height, channels } })
  const isOpaque = channels === 3 || channels === 1 || (await decoded().stats()).isOpaque
  await mkdir(folder, { recursive: true })
  const files: string[] = []
  for (const each of widthsOf(width)) {
    const { data: resized, info: size } = await decoded()
      .resize({ width: each })
      .raw()
      .toBuffer({ resolveWithObject: true })
    const scaled = () => sharp(resized, { raw: { width: size.width, height: size.height, channels: size.channels } })
    // Measured on a photo of 2048 pixels: AVIF with effort 1 is 195 KB in 0.8 s, with effort 4 177 KB in 37 s; WebP is 243 KB.
    await writeFile(join(folder, `${each}.avif`), await scaled().avif({ quality: 55, effort: 1 }).toBuffer())
    await writeFile(join(folder, `${each}.webp`), await scaled().webp({ quality: 80, effort: 3 }).toBuffer())
    files.push(`${each}.avif`, `${each}.webp`)
  }
  const main = decoded().resize({ width: mainWidthOf(width) })
  const file = `${mainWidthOf(width)}.${isOpaque ? 'jpg' : 'png'}`
  const encoded = isOpaque ? main.removeAlpha().jpeg({ quality: 82 }) : main.png({ compressionLevel: 9 })
  const { data: bytes, info: size } = await encoded.toBuffer({ resolveWithObject: true })
  await writeFile(join(folder, file), bytes)
  return { widest: width, file, width: size.width, height: size.height, files: [...files, file] }
}

/** An error of the file system, such as a full disk, is not the fault of the picture. */
function answerFor(error: unknown): PictureAnswer | PictureFailure {
  const { errno, code = '', message } = error as NodeJS.ErrnoException
  return errno === undefined ? { refused: reasonOf(error) } : { failed: message, code }
}

function reasonOf(error: unknown): 'too_many_pixels' | 'not_a_picture' | 'damaged' {
  const message = error instanceof Error ? error.message : ''
  if (/exceeds pixel limit|too large|dimensions exceed/i.test(message)) return 'too_many_pixels'
  return /unsupported image format|unsupported codec/i.test(message) ? 'not_a_picture' : 'damaged'
}
