import type { OperatorStatement } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { upload } from '../../api.ts'
import { useEnvironment } from '../../environment.ts'
import { translate, translateCount, translateElements, translateMessage } from '../../language.ts'
import { Count } from '../../ui/format/values.tsx'
import { useAction } from '../../ui/hooks/use-action.ts'
import { Empty, ErrorNotice, Notice } from '../../ui/notice.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { CsvFields, OpenQuestions, type Reading } from './csv-fields.tsx'
import { isBookable, isUnmatched, LineTable } from './statement-lines.tsx'

const back = { to: '/transfers', title: translate('Bank transfers') }

/** A file, and the statement that was read from it. */
interface Opened {
  readonly file: File
  readonly reading: Reading
  readonly statement: OperatorStatement
}

/** Previews a bank statement, and books it. */
export function StatementPage() {
  const environment = useEnvironment()
  return (
    <Page
      title={translate('Bank statement')}
      lead={translate('Nothing changes until you book the lines. Uploading a statement again books nothing twice.')}
      back={back}
    >
      <Statement key={environment} environment={environment} />
    </Page>
  )
}

function Statement({ environment }: { readonly environment: 'live' | 'test' }) {
  const [opened, setOpened] = useState<Opened | null>(null)
  const [asked, setAsked] = useState<Omit<Opened, 'statement'> | null>(null)
  const { actionError, busy, run } = useAction(() => {})
  const open = (file: File, reading: Reading = {}) =>
    run(async () => {
      setAsked({ file, reading })
      const query = { environment, ...reading }
      setOpened({ file, reading, statement: await upload('previewBankStatement', file, { query }, () => {}) })
    })
  const book = ({ file, reading, statement: { plan } }: Opened) =>
    run(async () => {
      const query = { environment, ...reading, plan }
      setOpened({ file, reading, statement: await upload('bookBankStatement', file, { query }, () => {}) })
    })
  return (
    <>
      <Section title={translate('File')}>
        <div class="field">
          <label for="statement-file">{translate('CAMT.053 or CSV file of your bank')}</label>
          <input
            id="statement-file"
            type="file"
            accept=".xml,.csv,.txt,text/csv,application/xml"
            disabled={busy}
            // So that the same file can be chosen again: without a change of its value, an input reports nothing.
            onClick={({ currentTarget }) => {
              currentTarget.value = ''
            }}
            onChange={({ currentTarget: { files } }) => {
              setOpened(null)
              if (files?.[0]) void open(files[0])
            }}
          />
        </div>
        {opened?.statement.csv && (
          <CsvFields
            key={opened.statement.plan}
            csv={opened.statement.csv}
            onRead={(reading) => open(opened.file, reading)}
          />
        )}
      </Section>
      <div aria-live="polite">
        {actionError ? <ErrorNotice error={actionError} /> : null}
        {asked && !opened && (
          <OpenQuestions error={actionError} onRead={(answers) => open(asked.file, { ...asked.reading, ...answers })} />
        )}
        {busy && <p class="lead">{translate('Reading…')}</p>}
      </div>
      {opened && <Lines statement={opened.statement} busy={busy} onBook={() => book(opened)} />}
    </>
  )
}

interface LinesProps {
  readonly statement: OperatorStatement
  readonly busy: boolean
  readonly onBook: () => Promise<void>
}

function Lines({ statement, busy, onBook }: LinesProps) {
  const { lines, unreadable, others, booked } = statement
  const bookable = lines.filter(isBookable)
  const unmatched = lines.filter(isUnmatched)
  const attention = lines.filter((line) => !isBookable(line) && !isUnmatched(line) && line.match !== 'booked')
  const earlier = lines.filter(({ match }) => match === 'booked')
  const isDone = booked > 0
  const button = (
    <button type="button" class="primary" disabled={busy} onClick={() => void onBook()}>
      {translateCount(bookable.length, { one: 'Book {count} line', other: 'Book {count} lines' })}
    </button>
  )
  return (
    <>
      {isDone && (
        <Notice kind="good">
          <p>{translateCount(booked, { one: '{count} line was booked.', other: '{count} lines were booked.' })}</p>
        </Notice>
      )}
      <Section
        title={isDone ? translate('Booked') : translate('To be booked')}
        actions={!isDone && bookable.length > 0 && button}
      >
        {bookable.length === 0 && (
          <Empty
            title={translate('Nothing to book')}
            hint={translate('No line has the reference of an open payment.')}
          />
        )}
        <LineTable caption={translate('Lines to be booked')} lines={bookable} />
      </Section>
      {attention.length > 0 && (
        <Section title={translate('Please check')}>
          <LineTable caption={translate('Lines to check')} lines={attention} />
        </Section>
      )}
      {unreadable.length > 0 && (
        <Section title={translate('Not readable')}>
          <ul>
            {unreadable.map(({ position, problem }) => (
              <li key={position}>
                {translate('Line {position}: {problem}', { position, problem: translateMessage(problem) })}
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section title={translate('Other lines')}>
        {unmatched.length > 0 && (
          <details>
            <summary>
              {translateElements('{count} without a reference', { count: <Count value={unmatched.length} /> })}
            </summary>
            <LineTable caption={translate('Lines without a reference')} lines={unmatched} />
          </details>
        )}
        {earlier.length > 0 && (
          <details>
            <summary>
              {translateElements('{count} already booked', { count: <Count value={earlier.length} /> })}
            </summary>
            <LineTable caption={translate('Lines already booked')} lines={earlier} />
          </details>
        )}
        <p class="small">
          {translateElements('Lines without an incoming payment: {count}', { count: <Count value={others} /> })}
        </p>
      </Section>
    </>
  )
}
