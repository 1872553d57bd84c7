/** The thumbnail URL of a picture. Uploaded pictures have a small file; any other URL is returned as it is. */
export function thumbnailUrl(url: string): string {
  const [, folder, widest] = /^(.*\/media\/[0-9a-f]{32}-(\d+))\/\d+\.(?:jpg|png)$/.exec(url) ?? []
  return folder === undefined ? url : `${folder}/${Math.min(320, Number(widest))}.webp`
}

/** A small picture, or a placeholder. */
export function Thumbnail({ url, alt = '' }: { readonly url: string | null | undefined; readonly alt?: string }) {
  if (!url) return <span class="thumbnail" aria-hidden="true" />
  return <img class="thumbnail" src={thumbnailUrl(url)} alt={alt} width={48} height={48} loading="lazy" />
}
