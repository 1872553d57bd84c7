import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Refusal } from '../../../kernel/refusal.ts'
import { readCamt } from './camt.ts'

const IBAN = 'DE02120300000000202051'

function camt(entries: string, version = '001.02'): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.${version}"><BkToCstmrStmt><GrpHdr><MsgId>1</MsgId></GrpHdr>
<Stmt><Id>1</Id><Acct><Id><IBAN>${IBAN}</IBAN></Id></Acct>${entries}</Stmt></BkToCstmrStmt></Document>`
}

const OLD = `<Ntry><Amt Ccy="EUR">26.90</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-11-30</Dt></BookgDt>
<AcctSvcrRef>B1</AcctSvcrRef><NtryDtls><TxDtls><Refs><EndToEndId>NOTPROVIDED</EndToEndId></Refs>
<RltdPties><Dbtr><Nm>Ada &amp; Co</Nm></Dbtr></RltdPties><RmtInf><Ustrd>8Q2E 9RTV</Ustrd><Ustrd>30</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`
const NEW = `<Ntry><Amt Ccy="EUR">10.5</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><DtTm>2026-11-30T23:00:00</DtTm></BookgDt>
<NtryDtls><TxDtls><Refs><AcctSvcrRef>T1</AcctSvcrRef></Refs><Amt Ccy="EUR">4.50</Amt><RltdPties><Dbtr><Pty><Nm>Ada</Nm></Pty></Dbtr></RltdPties>
<RmtInf><Strd><CdtrRefInf><Ref>RF188Q2E9RTV30</Ref></CdtrRefInf></Strd></RmtInf></TxDtls>
<TxDtls><Amt Ccy="EUR">6.00</Amt><RmtInf><Ustrd>two</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`

describe('a CAMT.053 statement', () => {
  test('of version 001.02 has its account, payer, purpose and amount', async () => {
    const { lines } = await readCamt(camt(OLD))
    assert.deepEqual(lines, [
      {
        position: 1,
        account: IBAN,
        bookedOn: '2026-11-30',
        amount: 2690n,
        currency: 'EUR',
        payer: 'Ada & Co',
        purpose: '8Q2E 9RTV 30',
        bankId: 'B1',
      },
    ])
  })

  test('of version 001.08 is read, and an entry of several transfers has a line for each', async () => {
    const { lines } = await readCamt(camt(NEW, '001.08'))
    assert.deepEqual(
      lines.map(({ amount, payer, purpose, bankId }) => ({ amount, payer, purpose, bankId })),
      [
        { amount: 450n, payer: 'Ada', purpose: 'RF188Q2E9RTV30', bankId: 'T1' },
        { amount: 600n, payer: '', purpose: 'two', bankId: '' },
      ],
    )
  })

  test('counts outgoing payments, reversals and pending entries, and lists entries without an amount or with a day that does not exist', async () => {
    const debit = OLD.replace('CRDT', 'DBIT')
    const reversal = OLD.replace('<Sts>', '<RvslInd>true</RvslInd><Sts>')
    const numbered = OLD.replace('<Sts>', '<RvslInd>1</RvslInd><Sts>')
    const pending = OLD.replace('BOOK<', 'PDNG<')
    const broken = OLD.replace('26.90', '26,90')
    const noDay = OLD.replace(/<Dt>[^<]*/, '<Dt>2026-02-30')
    const entries = [debit, reversal, numbered, pending, broken, noDay, OLD]
    const { lines, others, unreadable } = await readCamt(camt(entries.join('')))
    assert.deepEqual([lines.length, others, unreadable.map(({ position }) => position)], [1, 4, [5, 6]])
  })

  test('that is parsed in several turns has each entry once, in order', async () => {
    const ids = Array.from({ length: 500 }, (_, nth) => `B${nth}`)
    const { lines, unreadable } = await readCamt(camt(ids.map((id) => OLD.replace('B1<', `${id}<`)).join('')))
    assert.deepEqual([lines.map(({ bankId }) => bankId), unreadable], [ids, []])
  })

  test('has at most 10,000 lines, with those that cannot be read', async () => {
    const entries = (count: number) => '<Ntry><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts></Ntry>'.repeat(count)
    assert.equal((await readCamt(camt(entries(10_000)))).unreadable.length, 10_000)
    await assert.rejects(
      readCamt(camt(entries(10_001))),
      (error: Refusal) => error.code === 'file_unreadable' && /more than 10000 lines/.test(JSON.stringify(error.facts)),
    )
  })

  test('with a prefix for its namespace is read', async () => {
    const prefixed = camt(OLD)
      .replaceAll(/<(\/?)(?=[A-Z])/g, '<$1c:')
      .replace('xmlns=', 'xmlns:c=')
    assert.equal((await readCamt(prefixed)).lines.length, 1)
  })
})

describe('hostile XML', () => {
  const reasonOf = (text: string) =>
    readCamt(text).then(
      () => 'read',
      (error: unknown) => {
        assert.ok(error instanceof Refusal, String(error))
        return (error.facts.faults as readonly { message: string }[])[0]?.message
      },
    )

  test('a document type is refused: entities are neither expanded nor fetched', async () => {
    const laughs = `<!DOCTYPE Document [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;">]>`
    const external = '<!DOCTYPE Document [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
    for (const type of [laughs, external, '<!DOCTYPE Document SYSTEM "http://127.0.0.1/x.dtd">']) {
      const text = camt(OLD.replace('Ada', '&c;')).replace('?>', `?>${type}`)
      assert.match((await reasonOf(text)) ?? '', /document type/)
    }
    assert.match((await reasonOf(camt(OLD.replace('Ada', '&c;')))) ?? '', /damaged/)
  })

  test('too many levels, another document, and damaged or unfinished XML are refused', async () => {
    assert.match((await reasonOf(camt('<a>'.repeat(50)))) ?? '', /levels/)
    assert.match((await reasonOf(camt(OLD).replace('camt.053', 'camt.052'))) ?? '', /not a CAMT\.053/)
    assert.match((await reasonOf('<html></html>')) ?? '', /not a CAMT\.053/)
    assert.match((await reasonOf(camt(OLD).slice(0, -20))) ?? '', /damaged/)
    assert.match((await reasonOf(camt('<Ntry></Stmt>'))) ?? '', /damaged/)
  })
})
