import sharp from 'sharp'

/** A drawing of a shirt in the format of a photo. */
export async function photo(name: string, color: string) {
  const shirt = `<svg xmlns="http://www.w3.org/2000/svg" width="1500" height="1500"><rect width="1500" height="1500" fill="#efe9dd"/>
    <path d="M450 350 L650 270 Q750 360 850 270 L1050 350 L1250 620 L1090 730 L1010 640 L1010 1250 L490 1250 L490 640 L410 730 L250 620 Z" fill="${color}"/></svg>`
  return { name, mimeType: 'image/jpeg', buffer: await sharp(Buffer.from(shirt)).jpeg().toBuffer() }
}
