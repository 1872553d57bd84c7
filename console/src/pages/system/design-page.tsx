import { useState } from 'preact/hooks'
import { translate, translateElements } from '../../language.ts'
import { SECTIONS } from '../../page.ts'
import { LineChart } from '../../ui/chart.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FieldError } from '../../ui/form/field-error.ts'
import { Check, Field, Form, Select, TextField } from '../../ui/form/form.tsx'
import { StoreSelect } from '../../ui/form/store-select.tsx'
import { formatNumber, Status } from '../../ui/format/values.tsx'
import { Icon } from '../../ui/icon.tsx'
import { type Column, Table } from '../../ui/list/list-page.tsx'
import { Empty, ErrorNotice, Notice } from '../../ui/notice.tsx'
import { DescriptionList, Page, Section } from '../../ui/page.tsx'
import { ask } from '../../ui/question.tsx'
import { ProductPicker } from '../../ui/record-picker.tsx'
import { Segments } from '../../ui/segments.tsx'
import { toast } from '../../ui/toast.tsx'

const COLORS = [
  ['--paper', translate('Page')],
  ['--card', translate('Card')],
  ['--raised', translate('Menu, tip')],
  ['--ink', translate('Text')],
  ['--soft', translate('Secondary text')],
  ['--line', translate('Dividing line')],
  ['--edge', translate('Control border')],
  ['--accent', translate('Action')],
  ['--accent-wash', translate('Selected, good')],
  ['--bad', translate('Error, loss')],
  ['--bad-wash', translate('Behind an error')],
  ['--waiting', translate('Waiting')],
  ['--waiting-wash', translate('Behind a waiting status')],
  ['--test-wash', translate('Test environment')],
] as const
const SIZES = [
  ['--text-title', translate('Title of a page')],
  ['--text-large', translate('Heading of a section')],
  ['--text', translate('Text, fields, buttons')],
  ['--text-label', translate('Labels, secondary text')],
  ['--text-small', translate('Badges, axes')],
] as const
const SPACES = ['--space-1', '--space-2', '--space-3', '--space-4', '--space-5', '--space-6', '--space-8', '--space-12']

/** The tokens and components that every page is made of. */
export function DesignPage() {
  return (
    <Page
      title={translate('Design')}
      lead={translate(
        'The tokens of tokens.css and the components of console/src/ui, in the color scheme of your system.',
      )}
    >
      <Tokens />
      <Controls />
      <Fields />
      <Lists />
      <States />
      <Section title={translate('Chart')}>
        <LineChart
          title={translate('Orders')}
          points={WEEK}
          text={formatNumber}
          comparedTitle={translate('Previous 7 days')}
        />
      </Section>
    </Page>
  )
}

const WEEK = [3, 5, 4, 8, 7, 12, 9].map((value, day) => {
  return { label: translate('Day {day}', { day: day + 1 }), value, compared: [2, 4, 5, 5, 6, 7, 8][day] ?? 0 }
})

function Tokens() {
  return (
    <>
      <Section title={translate('Color')}>
        <p class="small">
          {translate('Text has a contrast of at least 7:1 and a control border of at least 3:1, in light and dark.')}
        </p>
        <div class="swatches">
          {COLORS.map(([token, use]) => (
            <div key={token}>
              <div class="swatch" style={{ background: `var(${token})` }} />
              {use}
              <br />
              <code>{token}</code>
            </div>
          ))}
        </div>
      </Section>
      <Section title={translate('Type and space')}>
        {SIZES.map(([token, use]) => (
          <p key={token} style={{ fontSize: `var(${token})` }}>
            {use} <code class="small">{token}</code>
          </p>
        ))}
        <div class="swatches">
          {SPACES.map((token) => (
            <div key={token}>
              <div class="measure" style={{ width: `var(${token})` }} />
              <code>{token}</code>
            </div>
          ))}
        </div>
      </Section>
      <Section title={translate('Icons')}>
        <div class="swatches">
          {SECTIONS.map(({ icon, title }) => (
            <div key={icon} class="calm">
              <Icon name={icon} /> {title}
            </div>
          ))}
        </div>
      </Section>
    </>
  )
}

function Controls() {
  const [open, setOpen] = useState(false)
  const [range, setRange] = useState('30')
  return (
    <Section title={translate('Buttons, dialogs, toasts')}>
      <div class="actions">
        <button type="button" class="primary" onClick={() => toast(translate('Saved'))}>
          {translate('Primary: one on a page')}
        </button>
        <button type="button" onClick={() => setOpen(true)}>
          {translate('Open a dialog')}
        </button>
        <button
          type="button"
          class="danger"
          onClick={() =>
            void ask({
              title: translate('Remove this key?'),
              consequences: translate('A question names the consequences. Its button is a verb.'),
              action: translate('Remove'),
            })
          }
        >
          {translate('Irreversible: asks first')}
        </button>
        <button
          type="button"
          onClick={() => toast(translate('Channel removed'), () => toast(translate('Channel restored')))}
        >
          {translate('Reversible: offers an undo')}
        </button>
        <button type="button" class="quiet">
          {translate('Quiet')}
        </button>
        <button type="button" disabled>
          {translate('Disabled')}
        </button>
      </div>
      <div class="actions">
        <Segments
          label={translate('Period')}
          value={range}
          onChange={setRange}
          options={[
            ['7', translate('{days} days', { days: 7 })],
            ['30', translate('{days} days', { days: 30 })],
          ]}
        />
        <span>{translateElements('Press {kbd} to search', { kbd: <kbd>{translate('Ctrl K')}</kbd> })}</span>
      </div>
      {open && (
        <Dialog title={translate('A dialog')} onClose={() => setOpen(false)}>
          <p>
            {translate(
              'The first field takes the focus, Escape closes it, and the focus returns to the button that opened it.',
            )}
          </p>
          <Field name="sample" label={translate('Field')} />
        </Dialog>
      )}
    </Section>
  )
}

function Fields() {
  return (
    <Section title={translate('Form')}>
      <Form
        submit={translate('Save')}
        guarded={false}
        onSubmit={async (fields) => {
          if (!fields.get('name')) throw new FieldError('/name', translate('Required.'))
          toast(translate('Saved'))
        }}
      >
        <Field name="name" label={translate('Name')} hint={translate('Leave it empty and save to see an error.')} />
        <Select
          name="kind"
          label={translate('Kind')}
          options={[
            ['mail', translate('Email')],
            ['phone', translate('Phone')],
          ]}
        />
        <StoreSelect value="" none={translate('All stores')} />
        <ProductPicker name="products" label={translate('Products')} ids={[]} />
        <TextField name="note" label={translate('Note')} rows={2} />
        <Check name="visible" label={translate('Shown to shoppers')} checked />
      </Form>
    </Section>
  )
}

interface Sample {
  readonly number: string
  readonly status: string
  readonly units: number
}
const SAMPLES: readonly Sample[] = [
  { number: 'T-10003', status: 'paid', units: 2 },
  { number: 'T-10002', status: 'processing', units: 12 },
  { number: 'T-10001', status: 'canceled', units: 1 },
]
const sampleColumns: readonly Column<Sample>[] = [
  { title: translate('Order'), show: ({ number }) => number },
  { title: translate('Status'), show: ({ status }) => <Status value={status} /> },
  { title: translate('Units'), numeric: true, show: ({ units }) => formatNumber(units) },
]

function Lists() {
  return (
    <Section title={translate('Tables and facts')}>
      <Table
        caption={translate('Sample orders')}
        items={SAMPLES}
        columns={sampleColumns}
        keyOf={({ number }) => number}
      />
      <DescriptionList
        items={[
          [translate('Label'), translate('A value')],
          [translate('Status'), <Status key="s" value="active" />],
        ]}
      />
    </Section>
  )
}

function States() {
  const [error, setError] = useState<Error | null>(null)
  return (
    <Section title={translate('States')}>
      <Notice>
        <p>{translate('Information: the facts and their consequences.')}</p>
      </Notice>
      {error ? (
        <ErrorNotice error={error} retry={() => setError(null)} />
      ) : (
        <div class="actions">
          <button
            type="button"
            onClick={() => setError(new Error(translate('An error says what is wrong and what to do.')))}
          >
            {translate('Show an error')}
          </button>
        </div>
      )}
      <Empty
        title={translate('Nothing yet')}
        hint={translate('An empty list says what will appear here and how to start.')}
      >
        <button type="button">{translate('Add the first')}</button>
      </Empty>
    </Section>
  )
}
