import type { PublicErrorDetail } from '@vitrine/contract'
import { useState } from 'preact/hooks'
import { translate } from '../../language.ts'
import { Editable } from '../../ui/form/editable.tsx'
import { LiveField, LiveSelect } from '../../ui/form/live-field.tsx'
import { languageName } from '../../ui/format/display-names.ts'
import { Section } from '../../ui/page.tsx'
import { BlockList } from './block-list.tsx'
import { blockIds, type Content, type DecorationPageContent, replaced } from './content.ts'
import { JsonEditor } from './json-editor.tsx'
import { Preview } from './preview.tsx'

interface EditorProps {
  readonly content: Content
  readonly onChange: (content: Content) => void
  /** Errors of the last save. */
  readonly errors: readonly PublicErrorDetail[]
}

const COLORS = [
  ['primaryColor', translate('Primary color')],
  ['accentColor', translate('Accent color')],
  ['backgroundColor', translate('Background')],
  ['textColor', translate('Text')],
] as const
const FONTS = [
  ['sans', translate('Sans serif')],
  ['serif', translate('Serif')],
  ['mono', translate('Monospace')],
] as const

/** The form and the preview, side by side. */
export function Editor({ content, onChange, errors }: EditorProps) {
  const locales = Object.keys(content.pages)
  const [selectedLocale, setSelectedLocale] = useState(locales[0] ?? 'en')
  const [number, setNumber] = useState(0)
  const [asJson, setAsJson] = useState(false)
  const locale = locales.includes(selectedLocale) ? selectedLocale : (locales[0] ?? 'en')
  const pages = content.pages[locale] ?? []
  const index = Math.min(number, pages.length - 1)
  const page = pages[index]
  const putPages = (next: DecorationPageContent[]) =>
    onChange({ ...content, pages: { ...content.pages, [locale]: next } })

  const selectors = (
    <div class="filters">
      <LiveSelect
        label={translate('Language')}
        value={locale}
        options={locales.map((each) => [each, languageName(each)] as const)}
        onChange={setSelectedLocale}
      />
      <LiveSelect
        label={translate('Page')}
        value={String(index)}
        options={pages.map(({ title }, each) => [String(each), title] as const)}
        onChange={(value) => setNumber(Number(value))}
      />
    </div>
  )
  return (
    <div class="two-columns">
      <div class="stacked">
        <Section
          title={asJson ? translate('JSON') : translate('Blocks')}
          actions={
            <button type="button" onClick={() => setAsJson(!asJson)}>
              {asJson ? translate('Edit as form') : translate('Edit as JSON')}
            </button>
          }
        >
          {asJson && (
            <Editable by="saveStoreDecorationDraft">
              <JsonEditor content={content} onChange={onChange} />
            </Editable>
          )}
          {!asJson && (
            <>
              {selectors}
              <Editable by="saveStoreDecorationDraft">
                {page && (
                  <PageForm
                    page={page}
                    errors={errors}
                    pointer={`/pages/${locale}/${index}/blocks`}
                    onChange={(next) => putPages(replaced(pages, index, next))}
                  />
                )}
                <MorePages content={content} locale={locale} onChange={onChange} />
              </Editable>
            </>
          )}
        </Section>
        {!asJson && (
          <Editable by="saveStoreDecorationDraft">
            <Theme theme={content.theme} onChange={(theme) => onChange({ ...content, theme })} />
          </Editable>
        )}
      </div>
      <Section title={translate('Preview')}>
        {page ? (
          <Preview theme={content.theme} page={page} locale={locale} />
        ) : (
          <p class="small">{translate('No page in this language.')}</p>
        )}
      </Section>
    </div>
  )
}

interface PageFormProps {
  readonly page: DecorationPageContent
  readonly errors: readonly PublicErrorDetail[]
  /** The place of the blocks in the content. */
  readonly pointer: string
  readonly onChange: (page: DecorationPageContent) => void
}

function PageForm({ page, errors, pointer, onChange }: PageFormProps) {
  return (
    <>
      <LiveField
        label={translate('Page title')}
        value={page.title}
        onChange={(title) => onChange({ ...page, title })}
      />
      <BlockList
        blocks={page.blocks}
        taken={blockIds(page)}
        errors={errors}
        pointer={pointer}
        onChange={(blocks) => onChange({ ...page, blocks })}
      />
    </>
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
    <Section title={translate('Theme')}>
      <div class="cards">
        {COLORS.map(([name, label]) => (
          <LiveField
            key={name}
            type="color"
            label={label}
            value={theme[name]}
            onChange={(value) => onChange({ ...theme, [name]: value })}
          />
        ))}
        <LiveSelect
          label={translate('Font')}
          value={theme.font}
          options={FONTS}
          onChange={(value) => onChange({ ...theme, font: FONTS.find(([font]) => font === value)?.[0] ?? 'sans' })}
        />
        <LiveField
          type="number"
          label={translate('Corner radius (pixels)')}
          value={theme.cornerRadius}
          onChange={(value) => onChange({ ...theme, cornerRadius: Number(value) })}
        />
      </div>
    </Section>
  )
}

/** Adds a page, or a language as a copy of the current pages. */
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
    const title = prompt(translate('Page title:'))?.trim()
    if (!title) return
    const slug =
      title
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, '-')
        .replaceAll(/^-|-$/g, '') || `page-${pages.length + 1}`
    onChange({ ...content, pages: { ...content.pages, [locale]: [...pages, { slug, title, blocks: [] }] } })
  }
  function addLanguage(): void {
    const tag = prompt(translate('Language code, such as de or fr:'))?.trim()
    if (tag && !content.pages[tag]) onChange({ ...content, pages: { ...content.pages, [tag]: structuredClone(pages) } })
  }
  return (
    <div class="actions">
      <button type="button" class="quiet" onClick={addPage}>
        {translate('Add page')}
      </button>
      <button type="button" class="quiet" onClick={addLanguage}>
        {translate('Add language')}
      </button>
    </div>
  )
}
