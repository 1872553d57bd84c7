import type { PublicErrorDetail } from '@vitrine/contract'
import { useState } from 'preact/hooks'
import { translate } from '../../language.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { AddLanguage } from '../../ui/form/add-language.tsx'
import { Editable } from '../../ui/form/editable.tsx'
import { FieldError } from '../../ui/form/field-error.ts'
import { Field, Form } from '../../ui/form/form.tsx'
import { LiveField, LiveSelect } from '../../ui/form/live-field.tsx'
import { languageName } from '../../ui/format/display-names.ts'
import { slugOf } from '../../ui/format/text.ts'
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
              <PageSelects {...{ locales, locale, pages, index }} onLocale={setSelectedLocale} onIndex={setNumber} />
              <Editable by="saveStoreDecorationDraft">
                {page && (
                  <PageForm
                    page={page}
                    errors={errors}
                    pointer={`/pages/${locale}/${index}/blocks`}
                    onChange={(next) => putPages(replaced(pages, index, next))}
                  />
                )}
                <MorePages
                  content={content}
                  locale={locale}
                  index={index}
                  onPages={(next) => {
                    putPages(next)
                    setNumber(next.length - 1)
                  }}
                  onLanguage={(added) => {
                    onChange({ ...content, pages: { ...content.pages, [added]: structuredClone(pages) } })
                    setSelectedLocale(added)
                  }}
                />
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

interface PageSelectsProps {
  readonly locales: readonly string[]
  readonly locale: string
  readonly onLocale: (locale: string) => void
  readonly pages: readonly DecorationPageContent[]
  readonly index: number
  readonly onIndex: (index: number) => void
}

/** Selects the language and the page that are edited. */
function PageSelects({ locales, locale, onLocale, pages, index, onIndex }: PageSelectsProps) {
  return (
    <div class="filters">
      <LiveSelect
        label={translate('Language')}
        value={locale}
        options={locales.map((each) => [each, languageName(each)] as const)}
        onChange={onLocale}
      />
      <LiveSelect
        label={translate('Page')}
        value={String(index)}
        options={pages.map(({ title }, each) => [String(each), title] as const)}
        onChange={(value) => onIndex(Number(value))}
      />
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

interface MorePagesProps {
  readonly content: Content
  readonly locale: string
  readonly index: number
  readonly onPages: (pages: DecorationPageContent[]) => void
  readonly onLanguage: (locale: string) => void
}

/** Adds a page, or a language as a copy of the current pages; removes the selected page, except the only one. */
function MorePages({ content, locale, index, onPages, onLanguage }: MorePagesProps) {
  const pages = content.pages[locale] ?? []
  const page = pages[index]
  const [adding, setAdding] = useState<'page' | 'language' | null>(null)
  const close = () => setAdding(null)
  return (
    <div class="actions">
      <button type="button" class="quiet" onClick={() => setAdding('page')}>
        {translate('Add page')}
      </button>
      <button type="button" class="quiet" onClick={() => setAdding('language')}>
        {translate('Add language')}
      </button>
      {page && pages.length > 1 && (
        <button type="button" class="quiet" onClick={() => onPages(pages.filter((each) => each !== page))}>
          {translate('Remove page')}
        </button>
      )}
      {adding === 'page' && (
        <Dialog title={translate('Add page')} onClose={close}>
          <Form
            submit={translate('Add')}
            cancel={close}
            guarded={false}
            onSubmit={async (fields) => {
              const title = String(fields.get('title')).trim()
              if (title === '') throw new FieldError('/title', translate('Required.'))
              onPages([...pages, { slug: newSlug(title, pages), title, blocks: [] }])
              close()
            }}
          >
            <Field name="title" label={translate('Page title')} required />
          </Form>
        </Dialog>
      )}
      {adding === 'language' && <AddLanguage taken={Object.keys(content.pages)} onAdd={onLanguage} onClose={close} />}
    </div>
  )
}

/** The name of a new page in URLs, which no other page has. */
function newSlug(title: string, pages: readonly DecorationPageContent[]): string {
  const base = slugOf(title) || 'page'
  const taken = pages.map(({ slug }) => slug)
  return [base, ...taken.map((_, index) => `${base}-${index + 2}`)].find((slug) => !taken.includes(slug)) ?? base
}
