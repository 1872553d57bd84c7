import { useEffect, useId, useRef } from 'preact/hooks'

/**
 * An email as its recipient sees it. Sandboxed: no script, no form, no navigation. Its HTML is posted and comes back as a document with
 * its own content security policy, because the console allows no inline styles.
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
  const name = useId()
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.submit(), [html])
  return (
    <>
      <form ref={form} method="post" action="/mail-frame" target={name} encType="text/plain" hidden>
        <input type="hidden" name="html" value={html} />
      </form>
      {/* A new frame for each email: the first document of a frame adds no history entry. */}
      <iframe
        key={html}
        class={narrow ? 'mail narrow' : 'mail'}
        name={name}
        title={title}
        sandbox=""
        referrerpolicy="no-referrer"
      />
    </>
  )
}
