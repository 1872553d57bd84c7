import { useState } from 'preact/hooks'
import { translate } from '../../language.ts'
import { LiveText } from '../../ui/form/live-field.tsx'
import type { Content } from './content.ts'

/** Edits the content as JSON. Invalid JSON stays in the editor until it is valid. */
export function JsonEditor({
  content,
  onChange,
}: {
  readonly content: Content
  readonly onChange: (content: Content) => void
}) {
  const [text, setText] = useState(() => JSON.stringify(content, null, 2))
  const [error, setError] = useState<string | null>(null)
  return (
    <>
      <LiveText
        label={translate('Theme and pages')}
        value={text}
        rows={30}
        onChange={(typed) => {
          setText(typed)
          try {
            const parsed: unknown = JSON.parse(typed)
            if (isContent(parsed)) onChange(parsed)
            setError(
              isContent(parsed) ? null : translate('Expected a theme, and pages by language, each with its blocks.'),
            )
          } catch (thrown) {
            setError(thrown instanceof SyntaxError ? thrown.message : String(thrown))
          }
        }}
      />
      {error ? (
        <p class="error" role="alert">
          {error}
        </p>
      ) : (
        <p class="small">{translate('Blocks are validated when you save. Errors name the path of the field.')}</p>
      )}
    </>
  )
}

/** Whether the preview can render it. The server validates the rest. */
function isContent(value: unknown): value is Content {
  if (typeof value !== 'object' || value === null) return false
  const { theme, pages } = value as { theme?: unknown; pages?: unknown }
  if (typeof theme !== 'object' || theme === null || typeof pages !== 'object' || pages === null) return false
  return Object.values(pages).every((each) => Array.isArray(each) && each.every(isPage))
}

function isPage(value: unknown): boolean {
  const { blocks } = (value ?? {}) as { blocks?: unknown }
  return Array.isArray(blocks) && blocks.every(isBlock)
}

function isBlock(value: unknown): boolean {
  const { props, type, children } = (value ?? {}) as { props?: unknown; type?: unknown; children?: unknown }
  if (typeof props !== 'object' || props === null) return false
  return type !== 'columns' || (Array.isArray(children) && children.every(isBlock))
}
