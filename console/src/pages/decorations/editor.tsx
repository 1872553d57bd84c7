import type { PublicErrorDetail } from '@vitrine/contract'
import { useState } from 'preact/hooks'
import { languageName } from '../../ui/format/display-names.ts'
import { Section } from '../../ui/page.tsx'
import { BlockList } from './block-list.tsx'
import { type Content, type DecorationPageContent, namesOn, replaced } from './content.ts'
import { JsonEditor } from './json-editor.tsx'
import { LiveField, LiveSelect } from './live-field.tsx'
import { Preview } from './preview.tsx'

interface EditorProps {
  readonly content: Content
  readonly onChange: (content: Content) => void
  /** What the server has said of what was sent last. */
  readonly faults: readonly PublicErrorDetail[]
}

const COLORS = [
  ['primaryColor', 'Main colour'],
  ['accentColor', 'Second colour'],
  ['backgroundColor', 'Ground'],
  ['textColor', 'Text'],
] as const
const FONTS = [
  ['sans', 'Without serifs'],
  ['serif', 'With serifs'],
  ['mono', 'All of one width'],
] as const

/** What is worked on, and how it looks, side by side. */
export function Editor({ content, onChange, faults }: EditorProps) {
  const locales = Object.keys(content.pages)
  const [chosen, setChosen] = useState(locales[0] ?? 'en')
  const [number, setNumber] = useState(0)
  const [asJson, setAsJson] = useState(false)
  const locale = locales.includes(chosen) ? chosen : (locales[0] ?? 'en')
  const pages = content.pages[locale] ?? []
  const index = Math.min(number, pages.length - 1)
  const page = pages[index]
  const putPages = (next: DecorationPageContent[]) =>
    onChange({ ...content, pages: { ...content.pages, [locale]: next } })
  const putPage = (next: DecorationPageContent) => putPages(replaced(pages, index, next))

  const choose = (
    <div class="filters">
      <LiveSelect
        label="Language"
        value={locale}
        options={locales.map((each) => [each, languageName(each)] as const)}
        onChange={setChosen}
      />
      <LiveSelect
        label="Page"
        value={String(index)}
        options={pages.map(({ title }, each) => [String(each), title] as const)}
        onChange={(said) => setNumber(Number(said))}
      />
    </div>
  )
  return (
    <div class="beside">
      <div class="stacked">
        <Section
          title={asJson ? 'As JSON' : 'Blocks'}
          actions={
            <button type="button" onClick={() => setAsJson(!asJson)}>
              {asJson ? 'As forms' : 'As JSON'}
            </button>
          }
        >
          {asJson && <JsonEditor content={content} onChange={onChange} />}
          {!asJson && (
            <>
              {choose}
              {page && (
                <>
                  <LiveField
                    label="Title of the page"
                    value={page.title}
                    onChange={(title) => putPage({ ...page, title })}
                  />
                  <BlockList
                    blocks={page.blocks}
                    taken={namesOn(page)}
                    faults={faults}
                    pointer={`/pages/${locale}/${index}/blocks`}
                    onChange={(blocks) => putPage({ ...page, blocks })}
                  />
                </>
              )}
              <MorePages content={content} locale={locale} onChange={onChange} />
            </>
          )}
        </Section>
        {!asJson && <Theme theme={content.theme} onChange={(theme) => onChange({ ...content, theme })} />}
      </div>
      <Section title="As it would look">
        {page ? (
          <Preview theme={content.theme} page={page} locale={locale} />
        ) : (
          <p class="small">There is no page in this language.</p>
        )}
      </Section>
    </div>
  )
}

function Theme({
  theme,
  onChange,
}: {
  readonly theme: Content['theme']
  readonly onChange: (theme: Content['theme']) => void
}) {
  return (
    <Section title="Theme">
      <div class="cards">
        {COLORS.map(([name, label]) => (
          <LiveField
            key={name}
            type="color"
            label={label}
            value={theme[name]}
            onChange={(said) => onChange({ ...theme, [name]: said })}
          />
        ))}
        <LiveSelect
          label="Letters"
          value={theme.font}
          options={FONTS}
          onChange={(said) => onChange({ ...theme, font: FONTS.find(([font]) => font === said)?.[0] ?? 'sans' })}
        />
        <LiveField
          type="number"
          label="Corners in pixels"
          value={theme.cornerRadius}
          onChange={(said) => onChange({ ...theme, cornerRadius: Number(said) })}
        />
      </div>
    </Section>
  )
}

/** Adds a page or a language, which begins as what there is. */
function MorePages({
  content,
  locale,
  onChange,
}: {
  readonly content: Content
  readonly locale: string
  readonly onChange: (content: Content) => void
}) {
  const pages = content.pages[locale] ?? []
  function addPage(): void {
    const title = prompt('What is the page called?')?.trim()
    if (!title) return
    const slug =
      title
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, '-')
        .replaceAll(/^-|-$/g, '') || `page-${pages.length + 1}`
    onChange({ ...content, pages: { ...content.pages, [locale]: [...pages, { slug, title, blocks: [] }] } })
  }
  function addLanguage(): void {
    const tag = prompt('Which language? A tag such as de or fr.')?.trim()
    if (tag && !content.pages[tag]) onChange({ ...content, pages: { ...content.pages, [tag]: structuredClone(pages) } })
  }
  return (
    <div class="actions">
      <button type="button" class="quiet" onClick={addPage}>
        Add a page
      </button>
      <button type="button" class="quiet" onClick={addLanguage}>
        Add a language
      </button>
    </div>
  )
}
