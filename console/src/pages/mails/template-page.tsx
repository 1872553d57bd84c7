import type { OperatorMailPreview, OperatorMailTemplate } from '@vitrine/contract/operator'
import { useEffect, useRef, useState } from 'preact/hooks'
import { ApiError, call } from '../../api.ts'
import { translate } from '../../language.ts'
import type { PageProps } from '../../page.ts'
import { leave, useQueryParameter } from '../../router.tsx'
import { Allowed } from '../../ui/form/editable.tsx'
import { Field, Form, Select, TextField } from '../../ui/form/form.tsx'
import { languageName } from '../../ui/format/display-names.ts'
import { DateTime } from '../../ui/format/values.tsx'
import { useAction } from '../../ui/hooks/use-action.ts'
import { useCall } from '../../ui/hooks/use-call.ts'
import { type Column, Table } from '../../ui/list/list-page.tsx'
import { LoadingPage } from '../../ui/loading.tsx'
import { MailFrame } from '../../ui/mail-frame.tsx'
import { ErrorNotice, Notice } from '../../ui/notice.tsx'
import { DescriptionList, Page, Section } from '../../ui/page.tsx'
import { askThen } from '../../ui/question.tsx'
import { mailKindText } from '../mailbox/mail-kind.ts'

type Words = OperatorMailTemplate['words']

const FIELDS = ['subject', 'heading', 'introduction', 'closing'] as const

/** The texts of an email in one language, with a preview. */
export function MailTemplatePage({ params: { kind = '', language = '' } }: PageProps) {
  const [storeSlug] = useQueryParameter('store')
  const params = { kind, language }
  const { data, error, reload } = useCall(`${kind} ${language} ${storeSlug}`, () =>
    call('getMailTemplate', { params, query: storeSlug ? { storeSlug } : {} }),
  )
  if (!data) return <LoadingPage error={error} retry={reload} />
  return <Template key={data.version} template={data} storeSlug={storeSlug} onSaved={reload} />
}

interface TemplateProps {
  readonly template: OperatorMailTemplate
  readonly storeSlug: string
  readonly onSaved: () => void
}

const RESET = {
  title: translate('Use the default text again?'),
  consequences: translate('From now on this email has the default text. Your text is kept in the audit log.'),
  action: translate('Use default text'),
}

function Template({ template, storeSlug, onSaved }: TemplateProps) {
  const { kind, language, version, source, inherited, placeholders, versions } = template
  const params = { kind, language }
  const owner = storeSlug ? { storeSlug } : {}
  const [words, setWords] = useState<Words>(template.words)
  const [round, setRound] = useState(0)
  const form = useRef<HTMLDivElement>(null)
  const { actionError, busy, run } = useAction(onSaved)
  const isEdited = source === (storeSlug ? 'store' : 'marketplace')
  const save = (next: Words | null) =>
    call('saveMailTemplate', { params, body: { ...owner, ...(next && { words: next }), expectedVersion: version } })
  const start = (next: Words) => {
    setWords(next)
    setRound(round + 1)
  }
  return (
    <Page
      title={`${mailKindText(kind)}, ${languageName(language)}`}
      back={{
        to: storeSlug ? `/mail-templates?store=${storeSlug}` : '/mail-templates',
        title: translate('Email templates'),
      }}
      lead={
        isEdited ? translate('Version {version} is in use.', { version }) : translate('The default text is in use.')
      }
      actions={
        isEdited && (
          <Allowed by="saveMailTemplate">
            <button type="button" disabled={busy} onClick={() => askThen(RESET, () => run(() => save(null)))}>
              {translate('Use default text')}
            </button>
          </Allowed>
        )
      }
    >
      {actionError ? <ErrorNotice error={actionError} /> : null}
      <div class="two-columns mails">
        <Section title={translate('Text')}>
          <div
            key={round}
            ref={form}
            onInput={({ target }) => {
              const { name, value } = target as HTMLInputElement
              if (FIELDS.some((each) => each === name)) setWords((before) => ({ ...before, [name]: value }))
            }}
          >
            <Form
              submit={translate('Save')}
              by="saveMailTemplate"
              onSubmit={async () => {
                await save(words)
                onSaved()
              }}
            >
              <Placeholders placeholders={placeholders} form={form} />
              <WordsFields words={words} />
            </Form>
          </div>
          <TestMail send={() => call('sendTestMail', { params, body: { ...owner, words } })} />
        </Section>
        <Preview
          words={words}
          load={(draft) => call('previewMailTemplate', { params, body: { ...owner, words: draft } })}
        />
      </div>
      <Versions versions={versions} current={version} onEdit={(each) => leave(() => start(each ?? inherited))} />
    </Page>
  )
}

function WordsFields({ words }: { readonly words: Words }) {
  return (
    <>
      <Field name="subject" label={translate('Subject')} pointer="/words/subject" value={words.subject} required />
      <Field name="heading" label={translate('Heading')} pointer="/words/heading" value={words.heading} required />
      <TextField
        name="introduction"
        label={translate('Introduction')}
        hint={translate('Plain text. An empty line starts a paragraph.')}
        pointer="/words/introduction"
        rows={6}
        value={words.introduction}
      />
      <TextField
        name="closing"
        label={translate('Closing')}
        hint={translate('After the items and amounts. Optional.')}
        pointer="/words/closing"
        value={words.closing}
      />
    </>
  )
}

interface PlaceholdersProps {
  readonly placeholders: OperatorMailTemplate['placeholders']
  readonly form: { readonly current: HTMLElement | null }
}

/** Inserts a placeholder at the cursor, or at its last position. */
function Placeholders({ placeholders, form }: PlaceholdersProps) {
  const last = useRef<HTMLInputElement | HTMLTextAreaElement | null>(null)
  useEffect(() => {
    const remember = ({ target }: Event) => {
      const { name } = target as HTMLInputElement
      if (FIELDS.some((each) => each === name)) last.current = target as HTMLInputElement
    }
    const element = form.current
    element?.addEventListener('focusin', remember)
    return () => element?.removeEventListener('focusin', remember)
  }, [])
  const insert = (name: string) => {
    const field = last.current ?? form.current?.querySelector<HTMLTextAreaElement>('[name=introduction]')
    if (!field) return
    field.focus()
    field.setRangeText(`{{${name}}}`, field.selectionStart ?? 0, field.selectionEnd ?? 0, 'end')
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
  return (
    <fieldset>
      <legend>{translate('Placeholders')}</legend>
      <p class="small">{translate('Choose one to insert it at the cursor. Other placeholders are refused.')}</p>
      <div class="tokens">
        {placeholders.map(({ name, example }) => (
          <button
            key={name}
            type="button"
            title={translate('For example: {example}', { example })}
            onClick={() => insert(name)}
          >
            <code>{name}</code>
          </button>
        ))}
      </div>
    </fieldset>
  )
}

function TestMail({ send }: { readonly send: () => Promise<{ readonly recipient: string }> }) {
  const [recipient, setRecipient] = useState<string | null>(null)
  const { actionError, busy, run } = useAction(() => undefined)
  return (
    <>
      <div class="actions">
        <Allowed by="sendTestMail">
          <button
            type="button"
            disabled={busy}
            onClick={() => void run(async () => setRecipient((await send()).recipient))}
          >
            {translate('Send a test email to me')}
          </button>
        </Allowed>
      </div>
      {actionError ? <ErrorNotice error={actionError} /> : null}
      {recipient !== null && !actionError && (
        <Notice kind="good">
          <p>
            {translate('The test email is on its way to {recipient}. Without an SMTP server it is in the mailbox.', {
              recipient,
            })}
          </p>
        </Notice>
      )}
    </>
  )
}

const VIEWS = [
  ['wide', translate('Computer')],
  ['narrow', translate('Phone')],
] as const

/** The delay between the last key press and the preview. */
const PAUSE_MS = 400

function Preview({
  words,
  load,
}: {
  readonly words: Words
  readonly load: (words: Words) => Promise<OperatorMailPreview>
}) {
  const [view, setView] = useState<string>('wide')
  const [draft, setDraft] = useState(words)
  useEffect(() => {
    const timer = setTimeout(() => setDraft(words), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [words])
  const { data, error } = useCall(JSON.stringify(draft), () => load(draft))
  return (
    <Section title={translate('Preview')}>
      <Select name="view" label={translate('Show as')} value={view} options={VIEWS} onChange={setView} />
      {error && !(error instanceof ApiError && error.response.code === 'validation_failed') ? (
        <ErrorNotice error={error} />
      ) : null}
      {error ? (
        <p class="small">{translate('The preview shows the last valid text. Save to see the errors.')}</p>
      ) : null}
      {data && (
        <>
          <DescriptionList
            items={[
              [translate('From'), data.from],
              [translate('Subject'), data.subject],
            ]}
          />
          <MailFrame html={data.html} title={translate('Preview of the email')} narrow={view === 'narrow'} />
          <details open>
            <summary>{translate('Text version')}</summary>
            <p class="preserve-lines">{data.text}</p>
          </details>
        </>
      )}
    </Section>
  )
}

interface VersionsProps {
  readonly versions: OperatorMailTemplate['versions']
  readonly current: number
  /** `undefined`: the default text. */
  readonly onEdit: (words: Words | undefined) => void
}

function Versions({ versions, current, onEdit }: VersionsProps) {
  if (versions.length === 0) return null
  const columns: readonly Column<OperatorMailTemplate['versions'][number]>[] = [
    {
      title: translate('Version'),
      show: ({ version }) => (version === current ? translate('{version} (in use)', { version }) : version),
    },
    { title: translate('Saved'), show: ({ createdAt }) => <DateTime at={createdAt} /> },
    { title: translate('Subject'), wide: true, show: ({ words }) => words?.subject ?? translate('Default text') },
    {
      title: translate('Actions'),
      buttons: true,
      show: ({ version, words }) => (
        <Allowed by="saveMailTemplate">
          <button
            type="button"
            aria-label={translate('Edit version {version}', { version })}
            onClick={() => onEdit(words)}
          >
            {translate('Edit this version')}
          </button>
        </Allowed>
      ),
    },
  ]
  return (
    <Section title={translate('Versions')}>
      <Table
        caption={translate('Versions')}
        items={versions}
        columns={columns}
        keyOf={({ version }) => String(version)}
      />
    </Section>
  )
}
