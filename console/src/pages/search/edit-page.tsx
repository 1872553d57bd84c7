import type { OperatorProductSummary, OperatorSearchPreview } from '@vitrine/contract/operator'
import { useEffect, useRef, useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { useGuardedChoice, useQueryParameter } from '../../router.tsx'
import { languagesFor, storeName } from '../../stores.ts'
import { Editable } from '../../ui/form/editable.tsx'
import { Form, Select } from '../../ui/form/form.tsx'
import { useUnsaved } from '../../ui/form/unsaved.ts'
import { languageName } from '../../ui/format/display-names.ts'
import { useAction } from '../../ui/hooks/use-action.ts'
import { useCall } from '../../ui/hooks/use-call.ts'
import { Empty, ErrorNotice, Notice, PartlySaved } from '../../ui/notice.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { type Draft, isChanged, type Product, pinned, preview, released, save, savedDraft, switched } from './draft.ts'
import { backToSearch } from './paths.ts'
import { EditedResult, ProductHead, UneditedResult } from './results.tsx'
import { QueryForm } from './search-page.tsx'
import { keyOfShipped, ShippedOfQuery } from './shipped-synonyms.tsx'
import { readSynonyms, SynonymFields, synonymsText } from './synonym-fields.tsx'

/** Edits the result of a query. */
export function EditPage() {
  const [q] = useQueryParameter('q')
  const [locale, setLocale] = useQueryParameter('locale')
  const [key, choose] = useGuardedChoice()
  const languages = languagesFor(null).toSorted()
  const [isSaved, setIsSaved] = useState(false)
  const { data, error, reload } = useCall(`${q} ${locale}`, async () => (q ? preview(q, locale, null) : null))
  return (
    <Page
      title={q ? translate('Result of “{q}”', { q }) : translate('Edit a result')}
      back={backToSearch}
      lead={translate(
        'Pin, hide and reorder products, and see what shoppers will get. Nothing changes until you save.',
      )}
    >
      <QueryForm key={q} q={q} />
      <div class="filters">
        <Select
          name="locale"
          label={translate("Shoppers' language")}
          value={locale}
          key={key}
          onChange={(value) => choose(() => setLocale(value))}
          options={[['', translate('Default')], ...languages.map((each) => [each, languageName(each)] as const)]}
        />
      </div>
      {!q && <Empty title={translate('No query yet')} hint={translate('Enter a query as a shopper would type it.')} />}
      {error ? <ErrorNotice error={error} retry={reload} /> : null}
      {isSaved && (
        <Notice kind="good">
          <p>{translate('Saved. Shoppers see it now.')}</p>
        </Notice>
      )}
      {data && (
        <Editable by="saveSearchRule">
          <ResultEditor
            key={`${q} ${locale} ${data.rule?.id} ${data.rule?.version}`}
            q={q}
            locale={locale}
            languages={languages}
            saved={data}
            onChanged={() => setIsSaved(false)}
            onDiscarded={reload}
            onSaved={() => {
              setIsSaved(true)
              reload()
            }}
          />
        </Editable>
      )}
    </Page>
  )
}

interface ResultEditorProps {
  readonly q: string
  readonly locale: string
  readonly languages: readonly string[]
  readonly saved: OperatorSearchPreview
  readonly onChanged: () => void
  readonly onDiscarded: () => void
  readonly onSaved: () => void
}

function ResultEditor({ q, locale, languages, saved, onChanged, onDiscarded, onSaved }: ResultEditorProps) {
  const [add] = useQueryParameter('add')
  const [draft, setDraft] = useState<Draft>(() => savedDraft(saved.rule))
  const [rule, setRule] = useState(saved.rule)
  const focus = useRef<string | null>(null)
  const isDirty = isChanged(draft, rule)
  const { data, error, loading } = useCall(JSON.stringify(draft), async () =>
    isDirty ? preview(q, locale, draft) : saved,
  )
  const { actionError, busy, run } = useAction(() => {
    setDraft((before) => ({ ...before, synonyms: [], shipped: [] }))
    onSaved()
  })
  useUnsaved(() => isDirty && !busy)
  useEffect(() => {
    if (focus.current) document.getElementById(focus.current)?.focus()
    focus.current = null
  }, [data])
  const change = (next: Draft, focused: string | null = null) => {
    focus.current = focused
    onChanged()
    setDraft(next)
  }
  async function saveAll(): Promise<void> {
    let left = { draft, saved: rule }
    const before = left
    try {
      await save(q, before, (next) => {
        left = next
      })
    } catch (thrown) {
      if (left === before) throw thrown
      setDraft(left.draft)
      setRule(left.saved)
      throw new PartlySaved('', { cause: thrown })
    }
  }
  // Without edits the saved result is shown, which is loaded again after each save.
  const shown = isDirty ? (data ?? saved) : saved
  return (
    <>
      {actionError || error ? <ErrorNotice error={actionError ?? error} /> : null}
      <div class="actions">
        <button type="button" class="primary" disabled={busy || !isDirty} onClick={() => void run(saveAll)}>
          {translate('Save')}
        </button>
        <button
          type="button"
          disabled={busy || !isDirty}
          onClick={() => {
            change(savedDraft(rule))
            onDiscarded()
          }}
        >
          {translate('Discard changes')}
        </button>
        {isDirty && <p class="small">{translate('You have unsaved changes.')}</p>}
      </div>
      <div class={loading ? 'results loading' : 'results'} aria-busy={loading}>
        <EditedResult result={shown.edited} draft={draft} onChange={change} />
        <UneditedResult result={shown.unedited} draft={draft} />
      </div>
      <HiddenProducts draft={draft} placed={shown.placed} onChange={change} />
      <PinOther draft={draft} onChange={change} />
      <RuleSettings draft={draft} languages={languages} isFocused={add === 'redirect'} onChange={change} />
      <ShippedOfQuery
        shipped={shown.shipped}
        onSwitch={(each) => change(switched(draft, each), `shipped-${keyOfShipped(each)}`)}
      />
      <NewSynonyms q={q} draft={draft} isOpen={add === 'synonym'} onChange={change} />
    </>
  )
}

interface PartProps {
  readonly draft: Draft
  readonly onChange: (draft: Draft, focus?: string) => void
}

function HiddenProducts({ draft, placed, onChange }: PartProps & { readonly placed: readonly Product[] }) {
  if (draft.hidden.length === 0) return null
  return (
    <Section title={translate('Hidden products')}>
      <ol class="products">
        {draft.hidden.map((id) => {
          const product = placed.find((each) => each.id === id)
          return (
            <li key={id}>
              {product ? <ProductHead product={product} /> : <code>{id}</code>}
              <div class="actions">
                <button type="button" id={`show-${id}`} onClick={() => onChange(released(draft, id), `hide-${id}`)}>
                  {translate('Show again')}
                  <span class="hidden"> {product?.name}</span>
                </button>
              </div>
            </li>
          )
        })}
      </ol>
    </Section>
  )
}

/** Pins a product that the query does not find. */
function PinOther({ draft, onChange }: PartProps) {
  const [found, setFound] = useState<readonly OperatorProductSummary[] | null>(null)
  const { actionError, run } = useAction(() => {})
  const find = async (q: string) => {
    setFound((await call('listProducts', { query: { q, status: 'published', limit: 8 } })).items)
  }
  return (
    <Section title={translate('Pin another product')}>
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault()
          const q = String(new FormData(event.currentTarget).get('product') ?? '').trim()
          if (q) void run(() => find(q))
        }}
      >
        <label class="search field">
          <span>{translate('Name, slug or code')}</span>
          <input type="search" name="product" maxLength={200} />
        </label>
        <button type="submit">{translate('Find product')}</button>
      </form>
      {actionError ? <ErrorNotice error={actionError} /> : null}
      {found?.length === 0 && (
        <p class="small" role="status">
          {translate('No product found.')}
        </p>
      )}
      <ol class="products">
        {found?.map(({ id, name, store }) => (
          <li key={id}>
            <div>
              <p>
                <strong>{name}</strong>
              </p>
              <p class="small">{storeName(store)}</p>
            </div>
            <div class="actions">
              <button
                type="button"
                disabled={draft.pins.includes(id)}
                onClick={() => onChange(pinned(draft, id), `pin-${id}`)}
              >
                {translate('Pin')}
                <span class="hidden"> {name}</span>
              </button>
            </div>
          </li>
        ))}
      </ol>
    </Section>
  )
}

interface RuleSettingsProps extends PartProps {
  readonly languages: readonly string[]
  readonly isFocused: boolean
}

/** The redirect of the query, and the language of the rule. */
function RuleSettings({ draft, languages, isFocused, onChange }: RuleSettingsProps) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (isFocused) input.current?.focus()
  }, [])
  const codes = [
    ...new Set([
      ...languages.map((each) => each.split('-')[0]!.toLowerCase()),
      ...(draft.language ? [draft.language] : []),
    ]),
  ]
  // A preview that arrives while the operator types must not reset the field.
  const [typed, setTyped] = useState(draft.redirect ?? '')
  useEffect(() => setTyped(draft.redirect ?? ''), [draft.redirect])
  return (
    <Section title={translate('Redirect and language')}>
      <label class="field">
        <span>{translate('Redirect to')}</span>
        <input
          ref={input}
          value={typed}
          maxLength={2048}
          placeholder="/sale"
          aria-describedby="redirect-hint"
          onInput={(event) => setTyped(event.currentTarget.value)}
          onChange={(event) => onChange({ ...draft, redirect: event.currentTarget.value.trim() || null })}
        />
      </label>
      <p class="small" id="redirect-hint">
        {translate('A path of the shop, or an https URL. Leave empty to show the products.')}
      </p>
      <Select
        name="language"
        label={translate('Applies to')}
        hint={translate('The language of the searches that this rule applies to.')}
        value={draft.language ?? ''}
        onChange={(language) => onChange({ ...draft, language: language || null })}
        options={[['', translate('Every language')], ...codes.map((each) => [each, languageName(each)] as const)]}
      />
    </Section>
  )
}

/** Synonyms that are saved with the rule. */
function NewSynonyms({ q, draft, isOpen, onChange }: PartProps & { readonly q: string; readonly isOpen: boolean }) {
  const section = useRef<HTMLDivElement>(null)
  const [round, setRound] = useState(0)
  useEffect(() => {
    if (isOpen) section.current?.querySelector('input')?.focus()
  }, [])
  return (
    <div ref={section}>
      <Section title={translate('Synonyms')}>
        {draft.synonyms.map((synonyms) => (
          <p key={synonymsText(synonyms)} class="actions">
            <strong>{synonymsText(synonyms)}</strong>
            <button
              type="button"
              onClick={() => onChange({ ...draft, synonyms: draft.synonyms.filter((each) => each !== synonyms) })}
            >
              {translate('Remove')}
              <span class="hidden"> {synonymsText(synonyms)}</span>
            </button>
          </p>
        ))}
        <Form
          guarded={false}
          key={round}
          submit={translate('Preview synonyms')}
          onSubmit={async (fields) => {
            onChange({ ...draft, synonyms: [...draft.synonyms, readSynonyms(fields)] })
            setRound(round + 1)
          }}
        >
          <SynonymFields synonyms={isOpen && draft.synonyms.length === 0 ? { source: q } : null} />
        </Form>
      </Section>
    </div>
  )
}
