import { useState } from 'preact/hooks'
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
import { Segments } from '../../ui/segments.tsx'
import { toast } from '../../ui/toast.tsx'

const COLORS = [
  ['--paper', 'Page'],
  ['--card', 'Card'],
  ['--raised', 'Menu, tip'],
  ['--ink', 'Text'],
  ['--soft', 'Quiet text'],
  ['--line', 'Line'],
  ['--edge', 'Edge of a control'],
  ['--accent', 'Action'],
  ['--accent-wash', 'Selected, good'],
  ['--bad', 'Error, loss'],
  ['--bad-wash', 'Behind an error'],
  ['--waiting', 'Waits'],
  ['--waiting-wash', 'Behind what waits'],
  ['--test-wash', 'Test environment'],
] as const
const SIZES = [
  ['--text-title', 'Title of a page'],
  ['--text-large', 'Heading of a section'],
  ['--text', 'Text, fields, buttons'],
  ['--text-label', 'Labels, quiet text'],
  ['--text-small', 'Badges, axes'],
] as const
const SPACES = ['--space-1', '--space-2', '--space-3', '--space-4', '--space-5', '--space-6', '--space-8', '--space-12']

/** The tokens and components that every page is made of. */
export function DesignPage() {
  return (
    <Page
      title="Design"
      lead="What every page is made of: the tokens of tokens.css and the components of console/src/ui, in the palette of your system."
    >
      <Tokens />
      <Controls />
      <Fields />
      <Lists />
      <States />
      <Section title="Chart">
        <LineChart title="Orders" points={WEEK} text={formatNumber} beforeTitle="7 days before" />
      </Section>
    </Page>
  )
}

const WEEK = [3, 5, 4, 8, 7, 12, 9].map((value, day) => {
  return { label: `Day ${day + 1}`, value, before: [2, 4, 5, 5, 6, 7, 8][day] ?? 0 }
})

function Tokens() {
  return (
    <>
      <Section title="Color">
        <p class="small">Text has a contrast of 7:1 or more, the edge of a control 3:1 or more, in light and dark.</p>
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
      <Section title="Type and space">
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
      <Section title="Icons">
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
    <Section title="Buttons, dialogs, toasts">
      <div class="actions">
        <button type="button" class="primary" onClick={() => toast('Saved')}>
          Primary: one on a page
        </button>
        <button type="button" onClick={() => setOpen(true)}>
          Open a dialog
        </button>
        <button
          type="button"
          class="danger"
          onClick={() =>
            void ask({
              title: 'Remove this key?',
              consequences: 'A question names what follows. Its button is a verb.',
              action: 'Remove',
            })
          }
        >
          What cannot be undone asks
        </button>
        <button type="button" onClick={() => toast('Channel removed', () => toast('Channel is back'))}>
          What can be undone does not
        </button>
        <button type="button" class="quiet">
          Quiet
        </button>
        <button type="button" disabled>
          Disabled
        </button>
      </div>
      <div class="actions">
        <Segments
          label="Period"
          value={range}
          onChange={setRange}
          options={[
            ['7', '7 days'],
            ['30', '30 days'],
          ]}
        />
        <span>
          Press <kbd>Ctrl K</kbd> to search
        </span>
      </div>
      {open && (
        <Dialog title="A dialog" onClose={() => setOpen(false)}>
          <p>The first field takes the focus, Escape closes it, and the focus returns to the button that opened it.</p>
          <Field name="sample" label="Field" />
        </Dialog>
      )}
    </Section>
  )
}

function Fields() {
  return (
    <Section title="Form">
      <Form
        submit="Save"
        guarded={false}
        onSubmit={async (fields) => {
          if (!fields.get('name')) throw new FieldError('/name', 'Required.')
          toast('Saved')
        }}
      >
        <Field name="name" label="Name" hint="Leave it empty and save to see an error." />
        <Select
          name="kind"
          label="Kind"
          options={[
            ['mail', 'Email'],
            ['phone', 'Phone'],
          ]}
        />
        <StoreSelect value="" none="All stores" />
        <TextField name="note" label="Note" rows={2} />
        <Check name="visible" label="Shown to shoppers" checked />
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
  { title: 'Order', show: ({ number }) => number },
  { title: 'Status', show: ({ status }) => <Status value={status} /> },
  { title: 'Units', numeric: true, show: ({ units }) => formatNumber(units) },
]

function Lists() {
  return (
    <Section title="Tables and facts">
      <Table caption="Sample orders" items={SAMPLES} columns={sampleColumns} keyOf={({ number }) => number} />
      <DescriptionList
        items={[
          ['Label', 'A value'],
          ['Status', <Status key="s" value="active" />],
        ]}
      />
    </Section>
  )
}

function States() {
  const [error, setError] = useState<Error | null>(null)
  return (
    <Section title="States">
      <Notice>
        <p>Information: what is so, and what follows.</p>
      </Notice>
      {error ? (
        <ErrorNotice error={error} retry={() => setError(null)} />
      ) : (
        <div class="actions">
          <button type="button" onClick={() => setError(new Error('An error says what is wrong and what to do.'))}>
            Show an error
          </button>
        </div>
      )}
      <Empty title="Nothing yet" hint="An empty list says what will be here, and how it begins.">
        <button type="button">Add the first</button>
      </Empty>
    </Section>
  )
}
