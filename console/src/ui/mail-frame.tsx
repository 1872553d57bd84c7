/**
 * An email as its recipient sees it. Sandboxed: no script, no form, no navigation, and nothing is loaded but pictures, by the
 * policy that is put first.
 */
export function MailFrame({
  html,
  title,
  narrow,
}: {
  readonly html: string
  readonly title: string
  readonly narrow?: boolean
}) {
  const policy = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src http: https: data:">`
  return (
    <iframe
      class={narrow ? 'mail narrow' : 'mail'}
      title={title}
      sandbox=""
      referrerpolicy="no-referrer"
      srcdoc={html.replace('<head>', `<head>${policy}`)}
    />
  )
}
